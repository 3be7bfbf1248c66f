"""Fetches a model file from the Hugging Face hub: with progress, going on where it broke off, and verified.

Nothing in heed uses the internet but this, and this only when a person types `heed models pull`. The library's own
download forgets what it has when its process ends; for gigabytes over a robot's wireless network that will not do,
so that the file is kept here and only its transfer left to the library.
"""

import hashlib
import re
import shutil
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import urlsplit

from daemon.llm.gguf_file import read_gguf
from daemon.llm.model import ModelError

PART = ".part"
"""Ends the name of a file that is not here as a whole yet."""
SPARE_BYTES = 200_000_000
"""Left free on the disk, for the memory and the journal."""
CHUNK = 1 << 20


class PullError(ModelError):
    """The file cannot be fetched; the message says what to do."""


@dataclass(frozen=True)
class Offered:
    """What the hub says of a file."""

    size: int
    """Bytes."""
    sha256: str
    """Empty where the hub does not know it."""
    address: str
    headers: dict[str, str]


def pull_model(repository: str, file: str, folder: Path, endpoint: str | None = None) -> Path:
    """Fetch a GGUF into the models folder, and return its path there; what was fetched before is not fetched again.

    A file appears under its name only when it is complete, has the checksum that the hub names, and is a GGUF.
    `endpoint` is another hub's address. Raises PullError, GgufError for something else than a GGUF.
    """
    name = PurePosixPath(file).name
    if not name.endswith(".gguf"):
        raise PullError(f"{file} is no GGUF file; heed pulls language models, models/README.md tells about the others")
    offered = _look_up(repository, file, endpoint)
    path, part = folder / name, folder / f".{name}{PART}"
    if path.exists():
        if not _is(offered, path):
            raise PullError(f"{path} is there and is another file; move it away, then pull again")
        return path
    folder.mkdir(parents=True, exist_ok=True)
    _fetch(offered, part, name)
    if not _is(offered, part):
        part.unlink()
        raise PullError(f"{file} came damaged (its checksum is another one) and was deleted; pull it again")
    read_gguf(part)
    part.replace(path)
    return path


def _look_up(repository: str, file: str, endpoint: str | None) -> Offered:
    hub = _library()
    try:
        url = hub.hf_hub_url(repository, file, endpoint=endpoint)
        found = hub.get_hf_file_metadata(url, endpoint=endpoint)
    except hub.errors.GatedRepoError as error:
        raise PullError(
            f"{repository} asks to accept its licence first: on its page, then with: hf auth login"
        ) from error
    except (hub.errors.RepositoryNotFoundError, hub.errors.HFValidationError) as error:
        raise PullError(f"the hub knows no {repository}; write it as OWNER/NAME, see heed models list") from error
    except hub.errors.EntryNotFoundError as error:
        raise PullError(f"{repository} has no file {file}; its page on the hub lists them below Files") from error
    except Exception as error:  # of the HTTP library, which changes from version to version
        raise PullError(f"the hub cannot be reached ({_short(error)}); is there a network?") from error
    if not found.size:
        raise PullError(f"the hub does not say how large {file} is; download it with a browser into models/")
    checksum = found.etag if re.fullmatch("[0-9a-f]{64}", found.etag or "") else ""
    at_home = urlsplit(found.location).netloc == urlsplit(url).netloc  # else it is no business of theirs who we are
    return Offered(found.size, checksum, found.location, hub.utils.build_hf_headers(token=None if at_home else False))


def _fetch(offered: Offered, part: Path, name: str) -> None:
    here = part.stat().st_size if part.exists() else 0
    if here > offered.size:
        part.unlink()
        here = 0
    missing = offered.size - here
    free = shutil.disk_usage(part.parent).free
    if missing + SPARE_BYTES > free:
        raise PullError(
            f"{name} needs {missing / 1e9:.1f} GB more, {free / 1e9:.1f} GB of disk are free; make room first"
        )
    from huggingface_hub.file_download import http_get

    with part.open("ab") as content:
        try:
            http_get(
                offered.address,
                content,
                resume_size=here,
                headers=offered.headers,
                expected_size=offered.size,
                displayed_filename=name,
            )
        except Exception as error:
            raise PullError(
                f"{name} broke off at {content.tell():,} of {offered.size:,} bytes ({_short(error)}); "
                "the same command goes on from there"
            ) from error


def _is(offered: Offered, path: Path) -> bool:
    """Return whether this is the whole file, as far as the hub lets one know."""
    if path.stat().st_size != offered.size:
        return False
    if not offered.sha256:
        return True
    digest = hashlib.sha256()
    with path.open("rb") as content:
        while chunk := content.read(CHUNK):
            digest.update(chunk)
    return digest.hexdigest() == offered.sha256


def _library() -> Any:
    try:
        import huggingface_hub
        import huggingface_hub.errors
        import huggingface_hub.utils
    except ImportError as error:
        raise PullError(
            "heed models pull needs the package huggingface_hub (the extra pull): uv pip install huggingface_hub; "
            "or put the file into models/ yourself"
        ) from error
    return huggingface_hub


def _short(error: Exception) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0][:200]
