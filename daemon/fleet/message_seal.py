"""Messages that only members of the fleet can write: HMAC-SHA256 (RFC 2104) with a key that all of them share.

It proves membership, not who of the members wrote it, and hides nothing: for that Zenoh offers TLS and access control.
"""

import hmac
import json
import os
import secrets
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path
from typing import Any

from daemon.config import ConfigError

FRESH_SECONDS = 60.0
"""A verb is carried out this long after it was said; robots' clocks may differ by as much less its way."""
REMEMBERED = 10_000
"""Verbs that cannot be said again within that time."""
SMALLEST_KEY = 16
MESSAGE_BYTES = 1 << 20


class SealError(ValueError):
    """A message is from nobody of the fleet, or too old, or was there before."""


class Seal:
    """Writes and reads messages with one key."""

    def __init__(self, key: bytes, name: str, now: Callable[[], float] = time.time) -> None:
        self._key, self._name, self._now = key, name, now
        self._seen: OrderedDict[str, None] = OrderedDict()
        self._lock = threading.Lock()

    def close(self, kind: str, body: Any) -> bytes:
        """A message of ours."""
        message = {"from": self._name, "kind": kind, "at": self._now(), "once": secrets.token_hex(8), "body": body}
        text = json.dumps(message, ensure_ascii=True).encode()
        return self._mac(text) + text

    def open(self, data: bytes, kind: str, once: bool = False) -> tuple[str, Any]:
        """Return who wrote it, and what.

        With `once` it has to be fresh, and is read a single time. Raises SealError.
        """
        mac, text = data[:64], data[64:]
        if len(data) > MESSAGE_BYTES or not hmac.compare_digest(mac, self._mac(text)):
            raise SealError("it was written by nobody of this fleet")
        try:
            message = json.loads(text)
            sender, at, number = str(message["from"]), float(message["at"]), str(message["once"])
            if message["kind"] != kind:
                raise SealError(f"it is no {kind}")
            body = message["body"]
        except (KeyError, TypeError, ValueError, RecursionError) as error:
            raise SealError(f"it cannot be read: {error}") from error
        if once:
            self._require_once(at, number)
        return sender, body

    def _mac(self, text: bytes) -> bytes:
        return hmac.new(self._key, text, "sha256").hexdigest().encode()

    def _require_once(self, at: float, number: str) -> None:
        if abs(self._now() - at) > FRESH_SECONDS:
            raise SealError("it is too old, or the clocks of the robots differ")
        with self._lock:
            if number in self._seen:
                raise SealError("it was carried out before")
            self._seen[number] = None
            if len(self._seen) > REMEMBERED:
                self._seen.popitem(last=False)


def key_in(file: Path) -> bytes:
    """The fleet's key, made with mode 0600 where there is none yet. Raises ConfigError for one that is too short."""
    if not file.exists():
        file.parent.mkdir(parents=True, exist_ok=True)
        with open(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="ascii") as stream:
            stream.write(secrets.token_hex(32) + "\n")
    key = file.read_bytes().strip()
    if len(key) < SMALLEST_KEY:
        raise ConfigError(
            f"the key in {file} is too short; delete it, and copy the new one to every robot of the fleet"
        )
    return key
