"""Fetching a model file, from a small hub on this machine that speaks what the library asks for."""

import hashlib
import http.server
import threading

import pytest
from huggingface_hub import constants

from daemon.llm.gguf_file import GgufError
from daemon.llm.model import ModelError
from daemon.llm.pull import pull_model
from tests.llm.tiny_gguf import make_tiny_gguf

REPOSITORY, FILE = "somebody/a-model-GGUF", "tiny.gguf"
WHERE = f"/{REPOSITORY}/resolve/main/{FILE}"


class Hub(http.server.ThreadingHTTPServer):
    """Has one file; may break off, send something else, or not know a thing."""

    daemon_threads = True

    def __init__(self, content):
        super().__init__(("127.0.0.1", 0), Answers)
        self.content = content
        self.checksum = hashlib.sha256(content).hexdigest()
        self.breaks_at = []
        """Positions at which the next transfers break off."""
        self.status = 200
        self.error = ""
        self.ranges = []
        threading.Thread(target=self.serve_forever, args=(0.01,), daemon=True).start()

    @property
    def address(self):
        return f"http://127.0.0.1:{self.server_port}"


class Answers(http.server.BaseHTTPRequestHandler):
    def do_HEAD(self):
        self.begin(200, len(self.server.content))

    def do_GET(self):
        asked = self.headers.get("Range")
        start = int(asked.removeprefix("bytes=").split("-")[0]) if asked else 0
        self.server.ranges.append(start)
        whole = self.server.content
        if self.begin(206 if asked else 200, len(whole) - start):
            end = self.server.breaks_at.pop(0) if self.server.breaks_at else len(whole)
            self.wfile.write(whole[start:end])
            self.wfile.flush()

    def begin(self, status, length):
        hub = self.server
        found = hub.status == 200 and self.path == WHERE
        self.send_response(status if found else 404 if hub.status == 200 else hub.status)
        if not found:
            self.send_header("X-Error-Code", hub.error or ("EntryNotFound" if hub.status == 200 else ""))
        self.send_header("X-Repo-Commit", "0" * 40)
        self.send_header("X-Linked-Etag", f'"{hub.checksum}"')
        self.send_header("X-Linked-Size", str(len(hub.content)))
        self.send_header("Accept-Ranges", "bytes")
        self.send_header("Content-Length", str(length if found else 0))
        self.end_headers()
        return found

    def log_message(self, *_): ...


@pytest.fixture
def hub(tmp_path):
    server = Hub(make_tiny_gguf(tmp_path / "there.gguf").read_bytes())
    yield server
    server.shutdown()
    server.server_close()


@pytest.fixture(autouse=True)
def small_steps(monkeypatch):
    """The library writes 10 MB at a time; less would be lost when a transfer breaks off, and our model is smaller."""
    monkeypatch.setattr(constants, "DOWNLOAD_CHUNK_SIZE", 10_000)
    monkeypatch.setenv("TQDM_POSITION", "-1")  # show progress, terminal or not


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "models"


def pull(hub, folder, file=FILE):
    return pull_model(REPOSITORY, file, folder, hub.address)


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def test_a_file_is_fetched_whole_and_shows_its_progress(hub, folder, capfd):
    path = pull(hub, folder)
    assert path == folder / FILE
    assert path.read_bytes() == hub.content
    assert names(folder) == [FILE]
    assert "100%" in capfd.readouterr().err


def test_what_is_here_already_is_not_fetched_again(hub, folder):
    pull(hub, folder)
    pull(hub, folder)
    assert hub.ranges == [0]


def test_a_transfer_that_breaks_off_goes_on_where_it_was(hub, folder):
    hub.breaks_at = [100_000]
    assert pull(hub, folder).read_bytes() == hub.content
    assert hub.ranges == [0, 100_000]


def test_another_process_goes_on_where_the_first_one_was_ended(hub, folder):
    folder.mkdir()
    (folder / f".{FILE}.part").write_bytes(hub.content[:200_000])
    assert pull(hub, folder).read_bytes() == hub.content
    assert hub.ranges == [200_000]


def test_what_was_fetched_stays_when_the_hub_goes_away(hub, folder, monkeypatch):
    import huggingface_hub.file_download as library

    monkeypatch.setattr(library.time, "sleep", lambda seconds: None)  # between its tries
    hub.breaks_at = [50_000] * 100  # behind the first break no byte comes any more
    with pytest.raises(ModelError, match=r"broke off at 50,000 of .* the same command goes on from there"):
        pull(hub, folder)
    assert names(folder) == [f".{FILE}.part"]
    hub.breaks_at = []
    assert pull(hub, folder).read_bytes() == hub.content


def test_a_file_with_another_checksum_never_gets_its_name(hub, folder):
    hub.checksum = "0" * 64
    with pytest.raises(ModelError, match="came damaged"):
        pull(hub, folder)
    assert names(folder) == []


def test_something_else_than_a_gguf_never_gets_its_name(hub, folder):
    hub.content = b"<html>sign in</html>" * 100
    hub.checksum = hashlib.sha256(hub.content).hexdigest()
    with pytest.raises(GgufError, match="not a GGUF"):
        pull(hub, folder)
    assert FILE not in names(folder)


def test_another_file_of_that_name_is_never_overwritten(hub, folder):
    folder.mkdir()
    (folder / FILE).write_bytes(b"mine")
    with pytest.raises(ModelError, match="move it away"):
        pull(hub, folder)
    assert (folder / FILE).read_bytes() == b"mine"


@pytest.mark.parametrize(
    ("status", "error", "words"),
    [
        (404, "EntryNotFound", "has no file"),
        (404, "RepoNotFound", "knows no somebody/a-model-GGUF"),
        (403, "GatedRepo", "accept its licence"),
        (500, "", "cannot be reached"),
    ],
)
def test_a_refusal_says_what_to_do(hub, folder, status, error, words):
    hub.status, hub.error = status, error
    with pytest.raises(ModelError, match=words):
        pull(hub, folder)


def test_no_hub_is_no_network(folder):
    with pytest.raises(ModelError, match="is there a network"):
        pull_model(REPOSITORY, FILE, folder, "http://127.0.0.1:9")


def test_a_file_lands_in_the_folder_whatever_it_is_called(hub, folder):
    with pytest.raises(ModelError, match="has no file"):
        pull(hub, folder, "../../outside.gguf")
    with pytest.raises(ModelError, match="no GGUF file"):
        pull(hub, folder, "model.safetensors")
    with pytest.raises(ModelError, match="OWNER/NAME"):
        pull_model("no such thing", FILE, folder, hub.address)
    assert not folder.exists()
