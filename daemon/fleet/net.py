"""The fleet over Zenoh: who is there, what they know, stop and say. Needs the extra `fleet`.

    heed/fleet/NAME/status     once a second: what the robot does, and the digest of its ledger
    heed/fleet/NAME/lessons    entries that changed, a few at a time
    heed/fleet/NAME/ledger     a query with the sums of what is known (lesson_ledger.py); all entries where they differ
    heed/fleet/NAME/do         a query: stop, say

Every message is sealed (message_seal.py). Peers or a router, TLS and access control are Zenoh's, by a file of its own.
"""

import json
import logging
import queue
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from daemon.config import ConfigError, FleetConfig
from daemon.fleet.lesson_ledger import LedgerError, from_json, to_json
from daemon.fleet.member import Member
from daemon.fleet.message_seal import Seal, SealError

if TYPE_CHECKING:
    import zenoh

BEAT_SECONDS = 1.0
GONE_BEATS = 5
"""After so many beats without a word a robot counts as gone."""
PIECE = 20
"""Entries in one message, so that between two of them there is time for others."""
WAITING = 1_000
"""Messages that wait to be read; more are dropped, and come again since the digests differ."""
ANSWER_SECONDS = 5.0
BUSY_SECONDS = 5.0
"""So long what arrives waits for a robot that listens, thinks or speaks."""

log = logging.getLogger(__name__)

Do = Callable[[str, dict[str, Any]], dict[str, Any]]
"""Carries out "stop" or "say" for a peer; returns what to tell it."""


@dataclass(frozen=True)
class Peer:
    """What another robot said of itself last."""

    name: str
    status: dict[str, Any]
    digest: str
    heard_at: float
    """Monotonic seconds."""


class Net:
    """One robot's connection to its fleet, in threads of its own, until closed."""

    def __init__(
        self,
        config: FleetConfig,
        folder: Path,
        state: Path,
        member: Member,
        seal: Seal,
        status: Callable[[], dict[str, Any]],
        do: Do,
        busy: Callable[[], bool] = lambda: False,
        beat: float = BEAT_SECONDS,
    ) -> None:
        """Open the session; `folder` is where config.toml lies, `state` where certificates are.

        While `busy`, what arrives waits. Each `beat` seconds it says that it is there. Raises ConfigError where Zenoh
        is missing or refuses the settings.
        """
        self._member, self._seal, self._status, self._do, self._busy = member, seal, status, do, busy
        self._beat_seconds = beat
        self._peers: dict[str, Peer] = {}
        self._arrived: queue.Queue[bytes] = queue.Queue(WAITING)
        self._ended = threading.Event()
        self.refused = 0
        """Messages of nobody of the fleet, or broken ones."""
        self._session = _open(config, folder, state)
        me = f"heed/fleet/{member.name}"
        self._declared = [
            self._session.declare_subscriber("heed/fleet/*/status", self._on_status),
            self._session.declare_subscriber("heed/fleet/*/lessons", self._on_lessons),
            self._session.declare_queryable(f"{me}/ledger", self._on_ledger),
            self._session.declare_queryable(f"{me}/do", self._on_do),
        ]
        self._threads = [
            threading.Thread(target=work, name=f"fleet {work.__name__.strip('_')}", daemon=True)
            for work in (self._beat, self._read)
        ]
        for thread in self._threads:
            thread.start()

    @property
    def peers(self) -> list[Peer]:
        """Return who was heard lately, by name."""
        late = time.monotonic() - GONE_BEATS * self._beat_seconds
        return sorted((peer for peer in list(self._peers.values()) if peer.heard_at > late), key=lambda peer: peer.name)

    def ask(self, name: str, verb: str, fields: dict[str, Any]) -> dict[str, dict[str, Any]]:
        """Have a robot, or all with "*", do something; returns what each of them answered."""
        answers = {}
        payload = self._seal.close("do", {"verb": verb, **fields})
        for reply in self._get(f"heed/fleet/{name}/do", payload):
            if reply.ok is not None:
                try:
                    sender, body = self._seal.open(reply.ok.payload.to_bytes(), "done", once=True)
                    answers[sender] = dict(body)
                except (SealError, TypeError, ValueError) as error:
                    self._refuse(error)
        return answers

    def close(self) -> None:
        """Leave the fleet; safe to call twice."""
        self._ended.set()
        for thread in self._threads:
            thread.join(2 * ANSWER_SECONDS)
        if not self._session.is_closed():
            self._session.close()

    # --- in threads of ours ---

    def _beat(self) -> None:
        settled = time.monotonic()
        while not self._ended.wait(self._beat_seconds):
            try:
                self._send(self._member.tell())
                if not self._busy() or time.monotonic() > settled + BUSY_SECONDS:
                    self._member.settle()
                    settled = time.monotonic()
                for peer in self.peers:
                    if peer.digest != self._member.digest and self._arrived.empty():
                        self._fetch(peer.name)
                body = {"status": self._status(), "digest": self._member.digest}
                self._session.put(f"heed/fleet/{self._member.name}/status", self._seal.close("status", body))
            except Exception:
                log.exception("a beat of the fleet failed; the next one tries again")

    def _read(self) -> None:
        """Take in what was sent, a piece at a time; then as long a pause, since what people want comes first."""
        while not self._ended.is_set():
            try:
                data = self._arrived.get(timeout=self._beat_seconds)
            except queue.Empty:
                continue
            began = time.monotonic()
            while self._busy() and time.monotonic() < began + BUSY_SECONDS and not self._ended.wait(0.02):
                pass
            began = time.monotonic()
            self._take_in(data)
            self._ended.wait(time.monotonic() - began)

    def _fetch(self, name: str) -> None:
        for reply in self._get(f"heed/fleet/{name}/ledger", self._seal.close("sums", self._member.sums)):
            if reply.ok is not None:
                self._put_aside(reply.ok.payload.to_bytes())

    def _get(self, key: str, payload: bytes) -> "Iterable[zenoh.Reply]":
        """Every reply of everybody: several of one robot, and of several robots, are none the less."""
        from zenoh import ConsolidationMode, QueryTarget

        return self._session.get(
            key,
            payload=payload,
            timeout=ANSWER_SECONDS,
            target=QueryTarget.ALL,
            consolidation=ConsolidationMode.NONE,
        )

    def _take_in(self, data: bytes) -> None:
        try:
            _, body = self._seal.open(data, "lessons")
            if not isinstance(body, list) or len(body) > PIECE:
                raise LedgerError("this is no piece of a ledger")
            self._member.hear([from_json(entry) for entry in body])
        except (SealError, LedgerError) as error:
            self._refuse(error)
        except Exception:
            log.exception("what a robot of the fleet sent could not be kept")

    def _send(self, entries: list[Any]) -> None:
        for piece in _pieces(entries):
            self._session.put(f"heed/fleet/{self._member.name}/lessons", self._seal.close("lessons", piece))

    # --- called by Zenoh ---

    def _on_status(self, sample: "zenoh.Sample") -> None:
        try:
            sender, body = self._seal.open(sample.payload.to_bytes(), "status", once=True)
            peer = Peer(sender, dict(body["status"]), str(body["digest"]), time.monotonic())
        except (SealError, TypeError, KeyError, ValueError) as error:
            self._refuse(error)
            return
        if sender != self._member.name:
            self._peers[sender] = peer

    def _on_lessons(self, sample: "zenoh.Sample") -> None:
        self._put_aside(sample.payload.to_bytes())

    def _on_ledger(self, query: "zenoh.Query") -> None:
        with query:
            try:
                _, sums = self._seal.open(query.payload.to_bytes() if query.payload else b"", "sums")
                lacking = self._member.lacking(dict(sums))
            except (SealError, TypeError, ValueError) as error:
                self._refuse(error)
                return
            for piece in _pieces(lacking):
                query.reply(f"heed/fleet/{self._member.name}/ledger", self._seal.close("lessons", piece))

    def _on_do(self, query: "zenoh.Query") -> None:
        with query:
            try:
                sender, body = self._seal.open(query.payload.to_bytes() if query.payload else b"", "do", once=True)
                verb = str(body.pop("verb"))
            except (SealError, AttributeError, KeyError, TypeError) as error:
                self._refuse(error)
                return
            answer = self._seal.close("done", self._do(verb, {**body, "from": sender}))
            query.reply(f"heed/fleet/{self._member.name}/do", answer)

    def _put_aside(self, data: bytes) -> None:
        try:
            self._arrived.put_nowait(data)
        except queue.Full:
            log.debug("too much arrives at once; the rest comes again later")

    def _refuse(self, error: Exception) -> None:
        self.refused += 1
        log.log(logging.WARNING if self.refused == 1 else logging.DEBUG, "a message of the fleet is refused: %s", error)


def _pieces(entries: list[Any]) -> list[list[dict[str, Any]]]:
    return [[to_json(entry) for entry in entries[i : i + PIECE]] for i in range(0, len(entries), PIECE)]


def _open(config: FleetConfig, folder: Path, state: Path) -> "zenoh.Session":
    try:
        import zenoh
    except ModuleNotFoundError as error:
        raise ConfigError("[fleet] needs a package: .venv/bin/python -m pip install eclipse-zenoh") from error
    try:
        settings = zenoh.Config.from_file(str(folder / config.zenoh)) if config.zenoh else zenoh.Config()
        for key, value in _settings(config, state).items():
            settings.insert_json5(key, json.dumps(value))
        return zenoh.open(settings)
    except zenoh.ZError as error:
        raise ConfigError(f"Zenoh does not take the settings below [fleet]: {error}") from error


def _settings(config: FleetConfig, state: Path) -> dict[str, Any]:
    """Ours; those of a file of its own stay where [fleet] says nothing."""
    settings: dict[str, Any] = {
        "connect/timeout_ms": -1,  # in the background, for as long as nobody is there
        "connect/exit_on_failure": False,
    }
    if not config.zenoh:
        # peers do not pass on what others say to each other
        settings |= {"mode": "router", "scouting/multicast/enabled": False}
    for way, addresses in (("listen", _list(config.listen)), ("connect", _list(config.connect))):
        if addresses or not config.zenoh:
            settings[f"{way}/endpoints"] = addresses
    return settings | (_tls(state / config.certificates) if config.certificates else {})


def _tls(folder: Path) -> dict[str, Any]:
    """Both sides show who they are, by a certificate of the fleet's own CA; which address they have does not matter."""
    files = {name: folder / name for name in ("ca.pem", "robot.pem", "robot.key")}
    for file in files.values():
        if not file.is_file():
            raise ConfigError(f"there is no {file}; docs/fleet.md tells how to make certificates")
    certificate, key = str(files["robot.pem"]), str(files["robot.key"])
    tls = {
        "root_ca_certificate": str(files["ca.pem"]),
        "listen_certificate": certificate,
        "listen_private_key": key,
        "connect_certificate": certificate,
        "connect_private_key": key,
        "enable_mtls": True,
        "verify_name_on_connect": False,
    }
    return {f"transport/link/tls/{name}": value for name, value in tls.items()}


def _list(text: str) -> list[str]:
    return text.replace(",", " ").split()
