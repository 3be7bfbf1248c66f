"""Serves the page at one address, in threads of its own; what it answers is in page_application.py."""

import ipaddress
import logging
import socket
import threading
from collections.abc import Callable, Mapping

import uvicorn

from daemon.page.live import Live
from daemon.page.page_application import Hear, Picture, View, build
from daemon.page.permit import Permit
from daemon.service.control import CommandError, Handler
from daemon.service.control import Message as Command

CONNECTIONS = 256

log = logging.getLogger(__name__)


class PageServer:
    """The page at one address, in threads of its own, until closed."""

    def __init__(
        self,
        address: str,
        permit: Permit,
        handlers: Mapping[str, Handler],
        live: Live,
        view: View,
        figures: Callable[[], str],
        hear: Hear,
        picture: Picture,
    ) -> None:
        """Take the address, "HOST:PORT"; port 0 takes any that is free. Raises CommandError when it cannot be had."""
        self._permit = permit
        app = build(permit, {**handlers, **page_handlers(self)}, live, view, figures, hear, picture)
        settings = uvicorn.Config(
            app,
            log_config=None,
            access_log=False,
            server_header=False,
            proxy_headers=False,
            lifespan="off",
            loop="asyncio",
            http="h11",
            ws="none",
            limit_concurrency=CONNECTIONS,
            timeout_keep_alive=15,
            timeout_graceful_shutdown=1,
        )
        self._server = uvicorn.Server(settings)
        self._socket = _listen(address)
        self._thread = threading.Thread(target=self._run, name="page", daemon=True)

    @property
    def address(self) -> str:
        """HOST:PORT, with the port that it got."""
        host, port = self._socket.getsockname()[:2]
        return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"

    @property
    def link(self) -> str:
        """Return the link for a person's browser; it holds the token."""
        host, port = self._socket.getsockname()[:2]
        everywhere = ipaddress.ip_address(host).is_unspecified
        place = f"{socket.gethostname()}:{port}" if everywhere else self.address
        return f"http://{place}/#token={self._permit.token}"

    @property
    def alive(self) -> bool:
        return self._thread.is_alive()

    def start(self) -> None:
        self._socket.listen(CONNECTIONS)
        self._thread.start()

    def close(self) -> None:
        self._server.should_exit = True
        if self._thread.is_alive():
            self._thread.join(timeout=3)
        self._socket.close()

    def _run(self) -> None:
        try:
            self._server.run(sockets=[self._socket])
        except Exception:
            log.exception("the page has ended; heed goes on without it")


def page_handlers(page: PageServer | None) -> dict[str, Handler]:
    """Return the command "page", which tells the link; None is a heed without a page."""

    def tell(request: Command) -> Command:
        if page is None:
            advice = 'start heed with --page, or set page = "127.0.0.1:8642" below [service] in config.toml'
            raise CommandError("there is no page", advice)
        return {"link": page.link}

    return {"page": tell}


def _listen(address: str) -> socket.socket:
    host, _, port = address.rpartition(":")
    host = host.strip("[]")
    try:
        if not host or not port.isdecimal() or int(port) > 65535:
            raise ValueError("it is not of the form HOST:PORT")
        family, kind, _, _, place = socket.getaddrinfo(host, int(port), type=socket.SOCK_STREAM)[0]
        listener = socket.socket(family, kind)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(place)
    except (OSError, ValueError) as error:
        raise CommandError(
            f"the page cannot be offered at {address!r}: {error}",
            'give another page below [service] in config.toml, for example "127.0.0.1:8642"',
        ) from error
    return listener
