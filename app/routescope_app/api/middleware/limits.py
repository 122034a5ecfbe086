"""Limits of a request's body before a route sees it: bytes, depth of JSON, form of callbacks. FastAPI limits forms."""

import asyncio
import contextlib
import json
import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Annotated, Any, NoReturn

from pydantic import BaseModel, Field, StringConstraints, ValidationError
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from routescope_app.api.probes import ALWAYS
from routescope_app.api.problems import of_refusal
from routescope_app.services.engine.places import Slots
from routescope_app.services.errors import Busy, NotAccepted, Refusal, TooLarge
from routescope_app.settings import MEBIBYTE, Settings

#: Seconds within which a whole routing log must have arrived.
ROUTING_LOG_SECONDS = 600.0
#: Deepest nesting of a JSON body.
MAX_JSON_DEPTH = 32
#: Deepest nesting of the JSON body of a callback of the page.
MAX_CALLBACK_DEPTH = 200
#: Largest body of a request by the page's own callbacks.
MAX_CALLBACK_BYTES = 4 * MEBIBYTE
#: Bytes of all headers of a request together.
MAX_HEADER_BYTES = 32 * 1024
#: Bytes of a request's path and query together; the names of 1,024 units take 7 KiB.
MAX_URL_BYTES = 16 * 1024
#: Request bodies received at the same time; a client may send as many as it leaves free for others.
MAX_BODIES = 16

_MARKS = re.compile(rb'"|\\.|[\[{]|[\]}]', re.DOTALL)
_SURROGATE = re.compile(rb"\\u[dD][89a-fA-F]")


class Malformed(Refusal):
    kind, title, status = "malformed", "Malformed request", 400


def depth_exceeds(content: bytes, most: int) -> bool:
    """Whether brackets outside strings are nested deeper than ``most``; one pass without parsing."""
    depth, in_string = 0, False
    for match in _MARKS.finditer(content):
        mark = match[0]
        if mark == b'"':
            in_string = not in_string
        elif in_string or mark.startswith(b"\\"):
            continue
        elif mark in b"[{":
            depth += 1
            if depth > most:
                return True
        else:
            depth -= 1
    return False


def check_json(content: bytes, max_depth: int) -> Any:
    """Parse ``content`` strictly.

    Raises:
        Malformed: not UTF-8, not JSON, too deep, or with lone surrogates.
        NotAccepted: with NaN, Infinity or a number too large for a float.
    """
    if depth_exceeds(content, max_depth):
        raise Malformed(f"The JSON is nested too deeply; up to {max_depth} levels are accepted.")
    try:
        text = content.decode("utf-8")
        value = json.loads(text, parse_constant=_no_constant, parse_float=_finite)
        if _SURROGATE.search(content):
            json.dumps(value, ensure_ascii=False).encode("utf-8")
    except UnicodeError as error:
        raise Malformed("The body is not valid UTF-8 text.") from error
    except (ValueError, RecursionError) as error:
        raise Malformed("The body is not valid JSON.") from error
    return value


def _no_constant(_name: str) -> NoReturn:
    raise NotAccepted("NaN and Infinity are not accepted; numbers must be finite.")


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise NotAccepted("A number is too large; numbers must be finite.")
    return number


Text = Annotated[str, StringConstraints(max_length=4_096)]
#: An id that is text; one that has parts comes as an object.
Name = Annotated[str, StringConstraints(max_length=4_096, pattern=r"^[^{]*$")]
#: The callbacks that the page's server has, as Dash keeps them: by ``output``, each with its ``inputs`` and ``state``.
Callbacks = Callable[[], Mapping[str, Mapping[str, Any]]]


class ComponentProperty(BaseModel):
    """A property of a component; its value may be anything."""

    id: Name | dict[str, Any]
    property: Text

    def __str__(self) -> str:
        named = self.id if isinstance(self.id, str) else json.dumps(self.id, sort_keys=True, separators=(",", ":"))
        return f"{named}.{self.property.partition('@')[0]}"


class Callback(BaseModel):
    """The body of a callback of Dash's renderer."""

    output: Annotated[str, StringConstraints(min_length=1, max_length=16_384)]
    outputs: ComponentProperty | list[ComponentProperty] | None = None
    inputs: Annotated[list[ComponentProperty], Field(max_length=256)]
    state: Annotated[list[ComponentProperty], Field(max_length=256)] = []
    changedPropIds: Annotated[list[Text], Field(max_length=256)] = []


def check_callback(value: Any, callbacks: Mapping[str, Mapping[str, Any]]) -> None:
    """Refuse requests that no page sends: another form, an unknown callback, or other inputs, state or outputs.

    No callback of the server matches components by patterns, so each part is one property.

    Raises:
        NotAccepted: it is none of ``callbacks``.
    """
    try:
        sent = Callback.model_validate(value)
    except ValidationError as error:
        raise NotAccepted("This is not a request that the page makes.") from error
    callback = callbacks.get(sent.output)
    if callback is None or "callback" not in callback:  # those without run in the browser
        raise NotAccepted("The page has no callback with this output; reload the page if it has been open for long.")
    outputs = [] if sent.outputs is None else sent.outputs if isinstance(sent.outputs, list) else [sent.outputs]
    asked = callback["output"] if isinstance(callback["output"], Sequence) else [callback["output"]]
    same = (
        _same(sent.inputs, [f"{part['id']}.{part['property']}" for part in callback["inputs"]])
        and _same(sent.state, [f"{part['id']}.{part['property']}" for part in callback["state"]])
        and (callback["no_output"] or _same(outputs, [str(part) for part in asked]))
        and (callback["no_output"] or isinstance(sent.outputs, list) == isinstance(callback["output"], Sequence))
    )
    if not same:
        detail = "This callback has other inputs, state or outputs; reload the page if it has been open for long."
        raise NotAccepted(detail)


def _same(sent: Sequence[ComponentProperty], names: Sequence[str]) -> bool:
    return [str(part) for part in sent] == [name.partition("@")[0] for name in names]


#: A form's own bytes around the file.
FRAMING = 64 * 1024
FORM_BYTES = 16 * 1024
#: Where the page's callbacks arrive.
CALLBACKS = "/_dash-update-component"
#: Where a routing log arrives, which is passed on as it comes.
LOGS = "/api/v1/logs"
STREAMED = "application/octet-stream"
#: Bodies above this are checked in a thread.
INLINE = 256 * 1024
#: How long a refused body is read on, so that the client sees the answer instead of a closed connection.
DRAIN_SECONDS = 5.0
WITH_BODY = frozenset({"POST", "PUT", "PATCH", "DELETE"})


class HeadersTooLarge(Refusal):
    kind, title, status = "headers-too-large", "Headers too large", 431


class UrlTooLong(Refusal):
    kind, title, status = "url-too-long", "Address too long", 414


class TooSlow(Refusal):
    kind, title, status = "too-slow", "Body too slow", 408


class UnsupportedBody(Refusal):
    kind, title, status = "unsupported-body", "Kind of body not supported", 415


class _Gone(Exception):
    """The client disconnected."""


class RequestLimits:
    """ASGI middleware: size, deadline and concurrency of requests, and the form of their bodies.

    Args:
        callbacks: returns the page's callbacks; none without a page.
    """

    def __init__(self, app: ASGIApp, settings: Settings, callbacks: Callbacks) -> None:
        self._app = app
        self._callbacks = callbacks
        self._settings = settings
        self._in_progress = Slots(settings.max_concurrent_requests)
        self._receiving = Slots(MAX_BODIES)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            await self._app(scope, self._bounded_messages(receive, send), send)
            return
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        leave = self._in_progress.take()
        asks_health = scope["path"] in ALWAYS and scope["method"] not in WITH_BODY
        if leave is None and not asks_health:
            await of_refusal(self._busy("requests"))(scope, receive, send)
            return
        try:
            try:
                self._check_head(scope)
                if scope["method"] == "POST" and scope["path"] == LOGS and _content_type(scope) == STREAMED:
                    await self._stream(scope, receive, send)
                    return
                if scope["method"] in WITH_BODY:
                    body = await self._read(scope, receive)
                    await self._check_body(scope, body)
                    receive = _replay(body, receive)
            except _Gone:
                return
            except Refusal as refusal:
                answer = of_refusal(refusal)
                answer.headers["Connection"] = "close"  # whatever of the body is still to come is not read
                await answer(scope, receive, send)
                return
            await self._app(scope, receive, send)
        finally:
            if leave is not None:
                leave()

    def _bounded_messages(self, receive: Receive, send: Send) -> Receive:
        """Limit each message of the page's WebSocket like the body of a callback; else close the connection."""

        async def bounded() -> Message:
            message = await receive()
            if message["type"] != "websocket.receive":
                return message
            content = (message.get("text") or "").encode() or message.get("bytes") or b""
            try:
                if len(content) > MAX_CALLBACK_BYTES:
                    raise self._too_large(MAX_CALLBACK_BYTES)
                if not isinstance(check_json(content, MAX_CALLBACK_DEPTH), dict):
                    raise Malformed("A message is a JSON object.")
            except Refusal:
                await send({"type": "websocket.close", "code": 1008})
                return {"type": "websocket.disconnect", "code": 1008}
            return message

        return bounded

    def _busy(self, reason: str) -> Busy:
        return Busy("Many requests are in progress; please ask again in a moment.", reason)

    # -- head ------------------------------------------------------------------------------------------------

    def _check_head(self, scope: Scope) -> None:
        headers: Iterable[tuple[bytes, bytes]] = scope["headers"]
        if sum(len(name) + len(value) for name, value in headers) > MAX_HEADER_BYTES:
            raise HeadersTooLarge(f"The headers are too long; up to {MAX_HEADER_BYTES} bytes are accepted.")
        if len(scope.get("raw_path") or b"") + len(scope["query_string"]) > MAX_URL_BYTES:
            raise UrlTooLong(f"The address is too long; up to {MAX_URL_BYTES} bytes are accepted.")

    # -- body ------------------------------------------------------------------------------------------------

    def _most(self, scope: Scope) -> int:
        """Largest number of bytes of a request to this address."""
        path, kind = scope["path"], _content_type(scope)
        if kind == "multipart/form-data" and path.startswith("/api/"):
            return self._settings.max_upload_bytes + FRAMING
        if path.startswith("/api/"):
            return self._settings.max_json_bytes
        return FORM_BYTES if kind == "application/x-www-form-urlencoded" else MAX_CALLBACK_BYTES

    async def _read(self, scope: Scope, receive: Receive) -> bytes:
        most = self._most(scope)
        declared = Headers(scope=scope).get("content-length")
        expected = int(declared) if declared is not None and declared.isdigit() and len(declared) < 16 else None
        if declared is not None and expected is None:
            raise Malformed("The header Content-Length is not a number.")
        waits = "100-continue" in Headers(scope=scope).get("expect", "").lower()
        if expected is not None and expected > most and waits:
            raise self._too_large(most)
        try:
            async with asyncio.timeout(self._settings.body_seconds):
                first = await _chunk(receive)
                if not first.get("more_body", False) and len(first.get("body", b"")) <= most:
                    return bytes(first.get("body", b""))
                return await self._read_long(first, receive, most)
        except TimeoutError:
            seconds = self._settings.body_seconds
            raise TooSlow(
                f"The body did not arrive in time; all of it is accepted within {seconds:g} seconds."
            ) from None

    async def _read_long(self, message: Message, receive: Receive, most: int) -> bytes:
        """The rest of a body that comes in several pieces; the number of such bodies is limited."""
        leave = self._place_for_body()
        try:
            content = bytearray(message.get("body", b""))
            while message.get("more_body", False) and len(content) <= most:
                message = await _chunk(receive)
                content += message.get("body", b"")
            if len(content) > most:
                await _drain(message, receive, most)
                raise self._too_large(most)
            return bytes(content)
        finally:
            leave()

    def _place_for_body(self) -> Callable[[], None]:
        """Take one of the slots for bodies; return a function that frees it. Raises Busy."""
        leave = self._receiving.take()
        if leave is None:
            raise self._busy("bodies")
        return leave

    async def _stream(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a body on as it comes, with limits of size, time and number."""
        most = self._settings.max_log_bytes
        declared = Headers(scope=scope).get("content-length", "0")
        if Headers(scope=scope).get("content-encoding", "identity").lower() != "identity":
            raise UnsupportedBody("Compressed bodies are not accepted; send the body as it is.")
        if not declared.isdigit() or len(declared) > 15:
            raise Malformed("The header Content-Length is not a number.")
        if int(declared) > most:
            await _drain({"type": "http.request", "more_body": True}, receive, most)
            raise self._too_large(most)
        leave = self._place_for_body()
        size, ends, whole = 0, asyncio.get_running_loop().time() + ROUTING_LOG_SECONDS, False

        async def counted() -> Message:
            nonlocal size, whole
            if whole:
                return await receive()
            try:
                async with asyncio.timeout_at(ends):
                    message = await receive()
            except TimeoutError:
                raise TooSlow(
                    f"The log did not arrive in time; it is accepted within {ROUTING_LOG_SECONDS:g} seconds."
                ) from None
            size += len(message.get("body", b""))
            if size > most:
                await _drain(message, receive, most)
                raise self._too_large(most)
            whole = not message.get("more_body", False)
            return message

        try:
            await self._app(scope, counted, send)
        finally:
            leave()

    def _too_large(self, most: int) -> TooLarge:
        shown = f"{most / 1024 / 1024:.3g} MiB" if most >= 1024 * 1024 else f"{most / 1024:.3g} KiB"
        return TooLarge(f"The body is too large; up to {shown} are accepted here.")

    async def _check_body(self, scope: Scope, body: bytes) -> None:
        for_callback = scope["method"] == "POST" and scope["path"] == CALLBACKS
        if for_callback and _content_type(scope) != "application/json":
            raise UnsupportedBody("This kind of body is not accepted; send application/json.")
        if not body and not for_callback:
            return
        headers = Headers(scope=scope)
        if headers.get("content-encoding", "identity").lower() != "identity":
            raise UnsupportedBody("Compressed bodies are not accepted; send the body as it is.")
        kind, in_api = _content_type(scope), scope["path"].startswith("/api/")
        if kind == "application/json" or kind.endswith("+json"):
            most = MAX_JSON_DEPTH if in_api else MAX_CALLBACK_DEPTH
            value = await asyncio.to_thread(check_json, body, most) if len(body) > INLINE else check_json(body, most)
            if for_callback:
                check_callback(value, self._callbacks())
        elif kind != ("multipart/form-data" if in_api else "application/x-www-form-urlencoded"):
            accepted = "application/json or multipart/form-data" if in_api else "application/json"
            raise UnsupportedBody(f"This kind of body is not accepted; send {accepted}.")


def _content_type(scope: Scope) -> str:
    return Headers(scope=scope).get("content-type", "").partition(";")[0].strip().lower()


async def _chunk(receive: Receive) -> Message:
    message = await receive()
    if message["type"] != "http.request":
        raise _Gone
    return message


async def _drain(message: Message, receive: Receive, most: int) -> None:
    """Read and drop data for a while: a client that is still sending would not see the answer."""
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(DRAIN_SECONDS):
            while message.get("more_body", False) and most > 0:
                message = await _chunk(receive)
                most -= len(message.get("body", b""))


def _replay(body: bytes, receive: Receive) -> Receive:
    """A ``receive`` that returns the whole body at once, then what comes after it."""
    given = False

    async def replay() -> Message:
        nonlocal given
        if given:
            return await receive()
        given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return replay
