"""Sends requests. Every POST and PUT has an Idempotency-Key, and all attempts of one call send the same key and the
same bytes, so a retry never pays twice. Decimals never become a float: an answer's are Decimal, read from its text.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import http.client
import ipaddress
import json
import random
import re
import time
import urllib.parse
import urllib.request
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Generic, TypeVar, cast

from ._connection import timed_handlers
from ._tables import OPERATIONS, SHAPES, VERSION

Item = TypeVar("Item")
Data = TypeVar("Data")

_RETRY_AFTER_MAX_S = 30.0
# What a header can hold; the error of http.client would show a wrong key.
_KEY = re.compile(r"[!-~]+")
_DECIMAL = re.compile(r"^(-?)0*(\d+)(?:\.(\d+))?$")


def minor(units: int) -> Decimal:
    """minor(50000000) is 500000.00."""
    return Decimal(units).scaleb(-2)


class BreakwaterError(Exception):
    """A request that the service refused, or that it could not answer. The message is the service's own sentence."""

    def __init__(
        self,
        message: str,
        *,
        code: str,
        status: int,
        fields: Sequence[Mapping[str, str]] = (),
        details: Mapping[str, Any] | None = None,
        retryable: bool = False,
        request_id: str | None = None,
        ask: Callable[[str | None], Any] | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.code = code
        self.status = status
        self.fields = list(fields)
        self.details = dict(details or {})
        self.retryable = retryable
        self.request_id = request_id
        self._ask = ask

    def request_approval(self, note: str | None = None) -> Any:
        """After approval_required: sends the same operation to be approved by others, once however often it is called."""
        if self._ask is None:
            raise TypeError("Only an operation that was refused with approval_required can wait for approval.")
        return self._ask(note)


@dataclass(frozen=True)
class Response(Generic[Data]):
    """The record of an answer, and what the answer says about itself."""

    data: Data
    status: int
    request_id: str
    replayed: bool


@dataclass(frozen=True)
class Page(Generic[Item]):
    data: list[Item]
    has_more: bool
    next_cursor: str | None


class Pages(Generic[Item]):
    """All records of a list, read page by page; page() reads one page. `limit` is the size of a page."""

    def __init__(self, read: Callable[[str | None], Page[Item]]) -> None:
        self._read = read

    def page(self, cursor: str | None = None) -> Page[Item]:
        return self._read(cursor)

    def __iter__(self) -> Iterator[Item]:
        cursor: str | None = None
        while True:
            page = self._read(cursor)
            yield from page.data
            if not page.has_more or page.next_cursor is None:
                return
            cursor = page.next_cursor


class Transport:
    def __init__(self, url: str, key: str, *, retries: int = 2, timeout: float = 30.0) -> None:
        parts = urllib.parse.urlsplit(url)
        if parts.scheme != "https" and not (parts.scheme == "http" and _is_loopback(parts.hostname)):
            raise ValueError("The URL must begin with https://, because the key is sent in each request.")
        if not _KEY.fullmatch(key):
            raise ValueError("The key must be one word, without a line end.")
        self._url = url.rstrip("/")
        # In a closure, so that neither repr, vars nor pickle shows it.
        self._authorization = lambda: f"Bearer {key}"
        self._retries = retries
        self._timeout = timeout
        # No proxy stands between the programs of one machine; it would see the key.
        proxies = urllib.request.ProxyHandler({} if parts.scheme == "http" else None)
        self._opener = urllib.request.build_opener(_EveryAnswer, proxies, *timed_handlers())

    def __repr__(self) -> str:
        return f"<Breakwater at {self._url}>"

    def pages(self, operation: str, targets: Sequence[object], query: Mapping[str, Any]) -> Pages[Any]:
        def read(cursor: str | None) -> Page[Any]:
            asked = dict(query) if cursor is None else {**query, "cursor": cursor}
            return cast("Page[Any]", self.call(operation, targets, query=asked).data)

        return Pages(read)

    def call(
        self,
        operation: str,
        targets: Sequence[object] = (),
        *,
        body: Any = None,
        query: Mapping[str, Any] | None = None,
        idempotency_key: str | None = None,
        text: str | None = None,
    ) -> Response[Any]:
        """`text` is a body that is JSON already, or lines of it."""
        method, path, shape, answer, form = OPERATIONS[operation]
        if shape and text is None:
            text = encode({} if body is None else body, shape)
        headers = {"Authorization": self._authorization(), "User-Agent": f"breakwater-python/{VERSION}"}
        if text is not None:
            headers["Content-Type"] = "application/x-ndjson" if shape == "lines" else "application/json"
        if method in ("POST", "PUT"):
            idempotency_key = idempotency_key or str(uuid.uuid4())
            headers["Idempotency-Key"] = idempotency_key
        request = urllib.request.Request(
            self._url + path.format(*(urllib.parse.quote(str(one), safe="") for one in targets)) + _query_text(query or {}),
            method=method,
            headers=headers,
            data=None if text is None else text.encode(),
        )
        status, received, payload = self._attempt(request)
        if status >= 300:
            raise self._failure(status, received, payload, (operation, targets, text, idempotency_key))
        return Response(
            data=_read(payload.decode(), answer, form),
            status=status,
            request_id=received.get("Request-Id", ""),
            replayed=received.get("Idempotent-Replayed") == "true",
        )

    def _attempt(self, request: urllib.request.Request) -> tuple[int, Mapping[str, str], bytes]:
        retry = 0
        while True:
            wait = 0.5 * 2**retry * (0.5 + random.random() / 2)
            try:
                with self._opener.open(request, timeout=self._timeout) as response:
                    payload = response.read()
                asked = _seconds(response.headers.get("Retry-After"))
                is_retried = response.status in (429, 503) and retry < self._retries
                if not is_retried or (asked is not None and asked > _RETRY_AFTER_MAX_S):
                    return response.status, response.headers, payload
                wait = wait if asked is None else asked
            except (http.client.HTTPException, OSError) as error:
                if retry >= self._retries:
                    message = f"{self._url} does not answer."
                    raise BreakwaterError(message, code="connection_failed", status=0, retryable=True) from error
            time.sleep(wait)
            retry += 1

    def _failure(
        self,
        status: int,
        headers: Mapping[str, str],
        payload: bytes,
        call: tuple[str, Sequence[object], str | None, str | None],
    ) -> BreakwaterError:
        try:
            answer = decode(payload.decode(), "")
            error = answer["error"]
        except (ValueError, KeyError, TypeError):
            # A proxy may answer with something else than the service does.
            request_id = headers.get("Request-Id")
            return BreakwaterError(f"The answer was {status}.", code=f"http_{status}", status=status, request_id=request_id)
        operation, targets, text, key = call

        def ask(note: str | None) -> Any:
            start = json.dumps({"operation": operation, "target_id": str(targets[0]) if targets else None, "note": note})
            # Derived from this call's key, so that asking twice is one request.
            derived = f"approval-of-{key}"[:255]
            return self.call("requestApproval", text=f'{start[:-1]}, "body": {text or "{}"}}}', idempotency_key=derived).data

        return BreakwaterError(
            answer["message"],
            code=error["code"],
            status=status,
            fields=error["fields"],
            details=error["details"],
            retryable=error["retryable"],
            request_id=error["request_id"],
            ask=ask if error["code"] == "approval_required" else None,
        )


class _EveryAnswer(urllib.request.HTTPErrorProcessor):
    """Returns refusals and redirects as they are; urllib would raise the ones and follow the others."""

    def http_response(self, request: Any, response: Any) -> Any:
        return response

    https_response = http_response


def _is_loopback(host: str | None) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host or "").is_loopback
    except ValueError:
        return False


def _seconds(header: str | None) -> float | None:
    return float(header) if header is not None and header.isdigit() else None


def _query_text(query: Mapping[str, Any]) -> str:
    given = {name: str(value) for name, value in query.items() if value is not None}
    return f"?{urllib.parse.urlencode(given)}" if given else ""


def _read(text: str, answer: str, form: str) -> Any:
    if form == "text":
        return text
    if form == "bare":
        return decode(text, answer)
    if form == "lines":
        records = [decode(line, answer) for line in text.split("\n") if line]
        # The last line says how many there are, so that a file that was cut off is noticed.
        if not records or records.pop().get("rows") != len(records):
            raise ValueError("The file is not complete; ask for it again.")
        return records
    envelope = json.loads(text, parse_float=Decimal)
    data = _settle(envelope["data"], answer)
    if form == "page":
        return Page(data, envelope["meta"]["has_more"], envelope["meta"]["next_cursor"])
    return data


def decode(text: str, shape: str) -> Any:
    """The value of JSON text, with decimals as Decimal, exactly as they were written."""
    return _settle(json.loads(text, parse_float=Decimal), shape)


def _kind(shapes: str, key: str) -> int | str:
    known = [SHAPES.get(name, {}) for name in shapes.split("|")]
    return next((shape.get(key, shape.get("*", "")) for shape in known if key in shape or "*" in shape), "")


def _settle(value: Any, shape: str) -> Any:
    if isinstance(value, list):
        return [_settle(item, shape) for item in value]
    if not isinstance(value, dict):
        return value
    return {key: _settle_member(member, _kind(shape, key)) for key, member in value.items()}


def _settle_member(member: Any, kind: int | str) -> Any:
    if kind != 1:
        return _settle(member, str(kind))
    # A rate without a fraction is written as a whole number.
    return Decimal(member) if isinstance(member, int) and not isinstance(member, bool) else member


def encode(value: Any, shape: str) -> str:
    """JSON text of a value, in which the decimals of the shape are numbers."""
    if isinstance(value, Decimal):
        return _decimal_text(value, "a member")
    if isinstance(value, (list, tuple)):
        return "[" + ",".join(encode(item, shape) for item in value) + "]"
    if not isinstance(value, Mapping):
        return json.dumps(value, ensure_ascii=False, allow_nan=False)
    members = []
    for key, member in value.items():
        kind = _kind(shape, key)
        is_decimal = kind == 1 and member is not None
        text = _decimal_text(member, key) if is_decimal else encode(member, str(kind))
        members.append(f"{json.dumps(key)}:{text}")
    return "{" + ",".join(members) + "}"


def _decimal_text(value: object, field: str) -> str:
    parts = _DECIMAL.match(format(value, "f") if isinstance(value, Decimal) else value if isinstance(value, str) else "")
    if parts is None:
        raise TypeError(f'{field} must be a Decimal or a string such as "500000.00", never a float.')
    sign, whole, fraction = parts.groups()
    return f"{sign}{whole}.{(fraction or '').ljust(2, '0')}"


class WebhookError(ValueError):
    """A message that is forged, changed, too old, or no webhook."""


def verify_webhook(
    body: str | bytes,
    headers: Mapping[str, str],
    secrets: str | Sequence[str],
    *,
    tolerance_seconds: float = 300,
    now: float | None = None,
) -> dict[str, Any]:
    """The event of a message, by Standard Webhooks 1.0. `body` is what was received, before anything parsed it. Give
    both secrets while a secret is being rotated."""
    given = {name.lower(): value for name, value in headers.items()}
    names = ("webhook-id", "webhook-timestamp", "webhook-signature")
    message_id, timestamp, signatures = (given.get(name, "") for name in names)
    if not (message_id and re.fullmatch(r"[0-9]{1,15}", timestamp) and signatures):
        raise WebhookError("This is not a webhook: its headers are missing.")
    if abs((time.time() if now is None else now) - int(timestamp)) > tolerance_seconds:
        raise WebhookError("The webhook is too old, or from the future.")
    payload = body.encode() if isinstance(body, str) else body
    signed = f"{message_id}.{timestamp}.".encode() + payload
    sent = [one[3:] for one in signatures.split(" ") if one.startswith("v1,")]
    for secret in [secrets] if isinstance(secrets, str) else secrets:
        try:
            key = base64.b64decode(secret.removeprefix("whsec_"), validate=True)
        except binascii.Error:
            raise TypeError("A webhook secret begins with whsec_.") from None
        own = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
        # Every signature is compared, each in constant time.
        if sum(hmac.compare_digest(own.encode(), one.encode()) for one in sent) > 0:
            return cast("dict[str, Any]", decode(payload.decode(), "Event"))
    raise WebhookError("The webhook has no valid signature.")
