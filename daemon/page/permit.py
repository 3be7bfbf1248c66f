"""Who may use the page: whoever knows its token. The token stands in the link that `heed page` prints.

It travels in the link's fragment, which browsers send to nobody, and in a header, which no other site can set: so
there are no cookies, and nothing for a foreign page to ride on. Host and Origin are checked all the same.
"""

import hmac
import ipaddress
import os
import secrets
import socket
from pathlib import Path

TOKEN_FILE = "page-token"


def token_in(state_directory: Path, name: str = TOKEN_FILE) -> str:
    """The token of this robot's page, made at the first call; delete the file to lock everybody out. Raises OSError."""
    file = state_directory / name
    try:
        kept = file.read_text(encoding="ascii").strip()
        if len(kept) >= 32:
            return kept
    except FileNotFoundError:
        state_directory.mkdir(parents=True, exist_ok=True)
    token = secrets.token_urlsafe(32)
    descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with open(descriptor, "w", encoding="ascii") as stream:
        stream.write(token + "\n")
    return token


class Permit:
    """Checks requests, as ASGI headers in lower case, against token and names."""

    def __init__(self, token: str, name: str = "") -> None:
        """`name` is the host name under which a proxy offers the page, if one does."""
        self.token = token
        self.name = name

    def refusal(self, headers: dict[str, str]) -> str:
        """Return why a request may not be answered; empty when it may."""
        if refusal := self.refusal_of_strangers(headers):
            return refusal
        scheme, _, given = headers.get("authorization", "").partition(" ")
        if scheme.lower() != "bearer" or not hmac.compare_digest(given.strip().encode(), self.token.encode()):
            return "this page needs its token: open the link that `heed page` prints"
        return ""

    def refusal_of_strangers(self, headers: dict[str, str]) -> str:
        """The same without the token, for what is no secret."""
        host = headers.get("host", "")
        if not self._known(host):
            return f"the page is not called {host[:100]!r}; put that name as page_name below [service] in config.toml"
        origin = headers.get("origin")
        if origin is not None and origin.partition("://")[2].lower() != host.lower():
            return "another site may not use this page"
        return ""

    def _known(self, host: str) -> bool:
        """Names can be pointed anywhere by whoever owns them; numbers and localhost cannot."""
        name = host.rpartition(":")[0] if host.rpartition(":")[2].isdecimal() and "]" not in host[-2:] else host
        if name.lower() in {"localhost", socket.gethostname().lower(), self.name.lower()} - {""}:
            return True
        try:
            ipaddress.ip_address(name.strip("[]"))
        except ValueError:
            return False
        return True
