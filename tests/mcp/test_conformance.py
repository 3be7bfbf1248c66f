"""The conformance cases of the Model Context Protocol's authors, against heed's server and its client.

make conformance      # or: .venv/bin/python -m pytest -m slow -s tests/mcp/test_conformance.py

A case that heed does not pass stands in expected.yml with its reason; the suite fails for any other, and for one that
has come to pass. The suite cannot send heed's token, so it is put in on the way; all else is as in `heed mcp --http`.
"""

import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.types import ASGIApp, Receive, Scope, Send

from daemon.mcp.mcp_server import Tools
from daemon.mcp.mcp_transports import listen, web_app, web_server
from skills.skill import SKILLS
from tests.mcp.clients import ROOT
from tests.story.test_app import Running, heed, runtime

__all__ = ["heed", "runtime"]  # fixtures
pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(600),
    pytest.mark.skipif(shutil.which("npx") is None, reason="apt install npm (the suite is a package of npm)"),
]
NODE, SUITE = "node@22.23.3", "@modelcontextprotocol/conformance@0.2.0-alpha.12"
"""The suite needs a newer node than Debian has."""
OLD, NEW = REVISIONS = ["2025-11-25", "2026-07-28"]
CASES = {
    "initialize": [OLD],
    "tools_call": REVISIONS,
    "sse-retry": [OLD],
    "request-metadata": [NEW],
    "sep-2322-client-request-state": [NEW],
    "http-standard-headers": [NEW],
    "http-custom-headers": [NEW],
    "http-invalid-tool-headers": [NEW],
    "json-schema-ref-no-deref": [NEW],
}
"""For clients. Left out: auth/*, elicitation, and what wants a tool's schema back; heed's client has none of these."""
EXPECTED = Path(__file__).with_name("conformance") / "expected.yml"
TOKEN = "of this test"


@pytest.fixture(scope="module", autouse=True)
def _tools() -> Iterator[None]:
    before = set(SKILLS)
    import tests.mcp.conformance.tools  # noqa: F401  registers them

    yield
    for name in set(SKILLS) - before:
        del SKILLS[name]


@pytest.fixture
def url(heed: Running, runtime: Path) -> Iterator[str]:
    """Where heed's tools are offered over HTTP to whoever comes."""
    listener = listen("127.0.0.1:0")
    server = web_server(_with_token(web_app(Tools(runtime, SKILLS).server(), TOKEN)))
    serving = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
    serving.start()
    yield "http://{}:{}/mcp".format(*listener.getsockname())
    server.should_exit = True
    serving.join(60)


def _with_token(app: ASGIApp) -> ASGIApp:
    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            scope = {**scope, "headers": [*scope["headers"], (b"authorization", f"Bearer {TOKEN}".encode())]}
        await app(scope, receive, send)

    return answer


def conformance(role: str, *options: str) -> str:
    """Run cases of the suite; what it says. AssertionError when one ends otherwise than expected."""
    suite = ["npx", "--yes", "--package", NODE, "--package", SUITE, "--", "conformance", role]
    done = subprocess.run(
        [*suite, "--expected-failures", str(EXPECTED), *options], cwd=ROOT, stdout=subprocess.PIPE, text=True
    )
    print(done.stdout)
    assert done.returncode == 0, f"not as {EXPECTED.name} says"
    return done.stdout


@pytest.mark.parametrize("revision", REVISIONS)
def test_the_server_passes_every_case_that_a_robot_can(revision: str, url: str, tmp_path: Path) -> None:
    conformance("server", "--requirements", revision, "--url", url, "--output-dir", str(tmp_path))


@pytest.mark.parametrize(("case", "revision"), [(case, revision) for case in CASES for revision in CASES[case]])
def test_the_client_passes_every_case_that_it_meets(case: str, revision: str) -> None:
    client = f"{sys.executable} -m tests.mcp.conformance.client"
    said = conformance("client", "--scenario", case, "--spec-version", revision, "--command", client)
    assert "skip" not in said.lower()
