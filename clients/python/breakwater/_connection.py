"""Connections on which an attempt ends in time as a whole. The timeout of a socket is for each operation, so an answer
that comes byte by byte would never end: before each operation it is set to what is left.
"""

from __future__ import annotations

import http.client
import math
import socket
import ssl
import time
import urllib.request
from typing import Any


class _Limited:
    """What a socket does until `ends_at`, by the clock of time.monotonic()."""

    ends_at = math.inf

    def limit(self: Any) -> None:
        left = self.ends_at - time.monotonic()
        if left <= 0:
            raise TimeoutError("The attempt took too long.")
        self.settimeout(None if left == math.inf else left)

    def recv_into(self: Any, *given: Any) -> int:
        self.limit()
        count: int = super().recv_into(*given)
        # For what does not pass here, such as the TLS handshake behind a proxy.
        self.limit()
        return count

    def send(self: Any, *given: Any) -> int:
        self.limit()
        count: int = super().send(*given)
        return count

    def sendall(self: Any, *given: Any) -> None:
        self.limit()
        super().sendall(*given)


class _Plain(_Limited, socket.socket):
    pass


class _Tls(_Limited, ssl.SSLSocket):
    pass


class _Timed:
    """A connection of http.client; the time runs from when it is opened."""

    def __init__(self: Any, *given: Any, **further: Any) -> None:
        super().__init__(*given, **further)
        self._create_connection = self._open

    def _open(self: Any, address: tuple[str, int], timeout: float | None, source: Any = None) -> _Plain:
        self._ends_at = math.inf if timeout is None else time.monotonic() + timeout
        failure: OSError = OSError(f"{address[0]} has no address.")
        for family, kind, protocol, _, target in socket.getaddrinfo(*address, 0, socket.SOCK_STREAM):
            opened = _Plain(family, kind, protocol)
            try:
                opened.ends_at = self._ends_at
                opened.limit()
                opened.connect(target)
                opened.limit()
                return opened
            except OSError as error:
                opened.close()
                failure = error
        raise failure

    def connect(self: Any) -> None:
        super().connect()
        # TLS has made another socket.
        self.sock.ends_at = self._ends_at


class _HttpConnection(_Timed, http.client.HTTPConnection):
    pass


class _HttpsConnection(_Timed, http.client.HTTPSConnection):
    pass


class _Http(urllib.request.HTTPHandler):
    def http_open(self, request: urllib.request.Request) -> Any:
        return self.do_open(_HttpConnection, request)


class _Https(urllib.request.HTTPSHandler):
    def __init__(self) -> None:
        self._tls = ssl.create_default_context()
        self._tls.set_alpn_protocols(["http/1.1"])
        self._tls.sslsocket_class = _Tls
        super().__init__(context=self._tls)

    def https_open(self, request: urllib.request.Request) -> Any:
        return self.do_open(_HttpsConnection, request, context=self._tls)


def timed_handlers() -> list[urllib.request.BaseHandler]:
    """By these the timeout of a request holds for the request as a whole."""
    return [_Http(), _Https()]
