"""The worker's program: loads generated packages and calls their functions, in confinement.

Stand-alone: the standard library, requests and pydantic, nothing of doc2tools. It runs as
`python -I -S -B worker.py CONFIG`, CONFIG being JSON: `fd` (the inherited socket), `paths` (folders
with the libraries), `home` (where packages are written), `limits` (resource limits by name),
`seccomp` (a filter in base64, or ""), `files` (what Landlock leaves open, or null), `threads`
(calls at once), `stack` (bytes). Frames are as in `frames.py`.

Nothing that this process says is believed, except what a function returned or raised: requests are
made and recorded by the other end.
"""

from __future__ import annotations

import base64
import contextlib
import contextvars
import ctypes
import importlib
import io
import itertools
import json
import os
import resource
import socket
import struct
import sys
import threading
import traceback
from pathlib import Path
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any, ClassVar, cast

if TYPE_CHECKING:
    import requests

MAX_RETURNED = 2_000
MAX_MESSAGE = 2_000
MAX_TRACEBACK = 8_000
MAX_REQUEST_BODY = 8_388_608
MAX_FRAME = 256_000_000
LENGTHS = struct.Struct(">II")
PR_SET_PDEATHSIG, PR_SET_SECCOMP, PR_SET_NO_NEW_PRIVS = 1, 22, 38
SECCOMP_MODE_FILTER = 2
LANDLOCK_CREATE, LANDLOCK_ADD_RULE, LANDLOCK_RESTRICT = 444, 445, 446
LANDLOCK_VERSION_FLAG = LANDLOCK_PATH_BENEATH = 1
# Rights on files by Landlock's version (Linux, Documentation/userspace-api/landlock.rst).
LANDLOCK_RIGHTS = ((1, 13), (2, 14), (3, 15), (5, 16))
LANDLOCK_READ = 1 << 2 | 1 << 3
LANDLOCK_FILE_RIGHTS = 1 << 0 | 1 << 1 | 1 << 2 | 1 << 14 | 1 << 15

current_call: contextvars.ContextVar[str] = contextvars.ContextVar("current_call")


class CallAbandonedError(BaseException):
    """Raised inside a call whose time is up."""


class Channel:
    """The socket to the gateway's process."""

    def __init__(self, fd: int) -> None:
        """Take over the inherited descriptor."""
        self._socket = socket.socket(fileno=fd)
        self._stream = self._socket.makefile("rb", buffering=65_536)
        self._lock = threading.Lock()

    def send(self, header: dict[str, Any], body: bytes = b"") -> None:
        """Send one frame."""
        text = json.dumps(header).encode()
        data = LENGTHS.pack(len(text), len(body)) + text + body
        with self._lock:
            self._socket.sendall(data)

    def receive(self) -> tuple[dict[str, Any], bytes] | None:
        """Give the next frame, or `None` when the other end is gone."""
        lengths = self._stream.read(LENGTHS.size)
        if len(lengths) < LENGTHS.size:
            return None
        header_length, body_length = LENGTHS.unpack(lengths)
        if header_length + body_length > MAX_FRAME:
            return None
        text = self._stream.read(header_length)
        body = self._stream.read(body_length) if body_length else b""
        if len(text) < header_length or len(body) < body_length:
            return None
        return json.loads(text), body


class Exchanges:
    """Requests that wait for the gateway's answer."""

    def __init__(self, channel: Channel) -> None:
        """Send through `channel`."""
        self._channel = channel
        self._waiting: dict[int, SimpleQueue[tuple[dict[str, Any], bytes]]] = {}
        self._numbers = itertools.count()

    def ask(self, header: dict[str, Any], body: bytes) -> tuple[dict[str, Any], bytes]:
        """Send a request and wait for what became of it."""
        number = next(self._numbers)
        answer: SimpleQueue[tuple[dict[str, Any], bytes]] = SimpleQueue()
        self._waiting[number] = answer
        try:
            self._channel.send({"op": "exchange", "id": number, **header}, body)
            return answer.get()
        finally:
            self._waiting.pop(number, None)

    def answer(self, header: dict[str, Any], body: bytes) -> None:
        """Hand an answer to the request that waits for it."""
        waiting = self._waiting.get(header["id"])
        if waiting is not None:
            waiting.put((header, body))


def make_session(exchanges: Exchanges) -> requests.Session:
    """Give a `requests.Session` all of whose requests go to the gateway."""
    # Found only now that `main` has set the path.
    import requests  # noqa: PLC0415
    from requests.adapters import BaseAdapter  # noqa: PLC0415
    from requests.structures import CaseInsensitiveDict  # noqa: PLC0415
    from requests.utils import get_encoding_from_headers  # noqa: PLC0415
    from urllib3 import HTTPHeaderDict, HTTPResponse  # noqa: PLC0415

    errors = {
        "timeout": requests.exceptions.Timeout,
        "tls": requests.exceptions.SSLError,
        "redirect": requests.exceptions.TooManyRedirects,
    }

    class GatewayAdapter(BaseAdapter):
        def send(
            self, request: requests.PreparedRequest, *_args: object, **_options: object
        ) -> requests.Response:
            call = current_call.get("")
            if not call:
                raise requests.ConnectionError("no call is under way here", request=request)
            url = str(request.url or "")
            header = {
                "call": call,
                "method": str(request.method or ""),
                "url": url,
                "headers": [[text(k), text(v)] for k, v in request.headers.items()],
            }
            reply, body = exchanges.ask(header, body_of(request.body))
            if "failure" in reply:
                failure = errors.get(reply["failure"], requests.ConnectionError)
                raise failure(reply["message"], request=request)
            headers = HTTPHeaderDict(reply["headers"])
            response = requests.Response()
            response.raw = HTTPResponse(
                body=io.BytesIO(body),
                headers=headers,
                status=reply["status"],
                preload_content=False,
                decode_content=False,
                request_method=request.method,
            )
            response.status_code = reply["status"]
            response.headers = CaseInsensitiveDict(headers)
            response.encoding = get_encoding_from_headers(response.headers)
            response.reason = reply["reason"]
            response.url = url
            response.request = request
            response.connection = self  # pyright: ignore[reportAttributeAccessIssue]
            return response

        def close(self) -> None:
            pass

    adapter = GatewayAdapter()

    class GatewaySession(requests.Session):
        def get_adapter(self, url: str) -> BaseAdapter:
            # Whatever a client mounts, this is the only way out.
            return adapter

    session = GatewaySession()
    session.trust_env = False
    session.max_redirects = 10
    return session


def text(value: object) -> str:
    """Give a header's name or value as text."""
    return value.decode("latin-1") if isinstance(value, bytes) else str(value)


def body_of(body: object) -> bytes:
    """Give a request's body as bytes: text, bytes, a file or an iterable of them."""
    if body is None:
        return b""
    if isinstance(body, str):
        return body.encode()
    if isinstance(body, bytes | bytearray):
        return bytes(body)
    parts: list[bytes] = []
    size = 0
    read = getattr(body, "read", None)
    pieces: Any = iter(lambda: read(65_536), b"") if callable(read) else iter(cast("Any", body))
    for piece in pieces:
        if not piece:
            break
        parts.append(piece.encode() if isinstance(piece, str) else bytes(piece))
        size += len(parts[-1])
        if size > MAX_REQUEST_BODY:
            raise ValueError(f"the body is longer than {MAX_REQUEST_BODY:,} bytes")
    return b"".join(parts)


def excerpt(value: object) -> str:
    """Give the beginning of `value` as JSON."""
    parts: list[str] = []
    size = 0
    for part in json.JSONEncoder(default=plain, skipkeys=True).iterencode(value):
        parts.append(part)
        size += len(part)
        if size > MAX_RETURNED:
            break
    return "".join(parts)[:MAX_RETURNED]


def plain(value: object) -> object:
    """Give what JSON knows for a value that it does not know."""
    dump = getattr(value, "model_dump", None)
    if callable(dump):
        return dump(mode="json")
    if isinstance(value, bytes | bytearray):
        return f"<{len(value)} bytes>"
    return repr(value)[:200]


def describe(error: BaseException) -> dict[str, str]:
    """Give an exception as data; a hostile one that cannot be shown is named only."""
    kind = type(error).__name__[:100]
    try:
        shown = traceback.format_exception(type(error), error, error.__traceback__, limit=-12)
        message = str(error)[:MAX_MESSAGE]
        trace = "".join(shown)[-MAX_TRACEBACK:]
        return {"kind": kind, "message": message, "traceback": trace}
    except BaseException:
        return {"kind": kind, "message": "", "traceback": ""}


class Program:
    """Loaded packages, and the calls under way."""

    def __init__(self, channel: Channel, home: Path, threads: int) -> None:
        """Start without threads; calls start them as they come."""
        self._channel = channel
        self._home = home
        self._exchanges = Exchanges(channel)
        self._clients: dict[str, tuple[Any, Any]] = {}
        self._broken: dict[str, BaseException] = {}
        self._jobs: SimpleQueue[dict[str, Any]] = SimpleQueue()
        self._threads = threads
        self._started = 0
        self._busy = 0
        self._running: dict[str, int] = {}
        self._lock = threading.Lock()

    def serve(self) -> None:
        """Obey frames until the other end is gone."""
        while frame := self._channel.receive():
            header, body = frame
            match header["op"]:
                case "answer":
                    self._exchanges.answer(header, body)
                case "call":
                    self._enqueue(header)
                case "load":
                    threading.Thread(target=self._load, args=(header,), daemon=True).start()
                case "abandon":
                    self._channel.send({"op": "abandoning", "id": header["id"]})
                    self._abandon(header["id"])
                case _:
                    return

    def _load(self, header: dict[str, Any]) -> None:
        error = self._write(header)
        self._channel.send({"op": "loaded", "id": header["id"], "error": error})

    def _write(self, header: dict[str, Any]) -> str:
        root: str = header["root"]
        folder = self._home / root
        try:
            for name, source in header["files"].items():
                path = folder / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(source, encoding="utf-8")
            for path in (folder, *(item for item in folder.rglob("*") if item.is_dir())):
                init = path / "__init__.py"
                if not init.exists():
                    init.write_text("", encoding="utf-8")
        except OSError as error:
            return f"{type(error).__name__}: {error.strerror}"
        importlib.invalidate_caches()
        try:
            module = importlib.import_module(f"{root}.client")
            self._clients[root] = module, module.Client(session=make_session(self._exchanges))
        except BaseException as error:
            # The package's fault, and so the outcome of every call of it.
            self._broken[root] = error
        return ""

    def _enqueue(self, header: dict[str, Any]) -> None:
        with self._lock:
            self._busy += 1
            if self._busy > self._started and self._started < self._threads:
                self._started += 1
                threading.Thread(target=self._work, daemon=True).start()
        self._jobs.put(header)

    def _work(self) -> None:
        while True:
            with contextlib.suppress(CallAbandonedError):
                header = self._jobs.get()
                self._call(header)

    def _call(self, header: dict[str, Any]) -> None:
        call: str = header["id"]
        done: dict[str, Any] = {"op": "done", "id": call, "returned": "", "error": None}
        with self._lock:
            self._running[call] = threading.get_ident()
        token = current_call.set(call)
        try:
            done["returned"] = self._run(header)
        except BaseException as error:
            done["error"] = describe(error)
        finally:
            with self._lock:
                self._running.pop(call, None)
                self._busy -= 1
            current_call.reset(token)
            self._channel.send(done)

    def _run(self, header: dict[str, Any]) -> str:
        root: str = header["root"]
        if root in self._broken:
            raise self._broken[root]
        module, client = self._clients[root]
        target = importlib.import_module(f"{root}.{header['module']}")
        module.use(client)
        return excerpt(getattr(target, header["function"])(**header["arguments"]))

    def _abandon(self, call: str) -> None:
        with self._lock:
            thread = self._running.get(call)
            if thread is not None:
                ctypes.pythonapi.PyThreadState_SetAsyncExc(
                    ctypes.c_ulong(thread), ctypes.py_object(CallAbandonedError)
                )


class _FilterProgram(ctypes.Structure):
    _fields_: ClassVar[Any] = [("length", ctypes.c_ushort), ("filter", ctypes.c_char_p)]


class _Ruleset(ctypes.Structure):
    _fields_: ClassVar[Any] = [(name, ctypes.c_uint64) for name in ("files", "network", "scope")]


class _PathRule(ctypes.Structure):
    _pack_ = 1
    _fields_: ClassVar[Any] = [("allowed", ctypes.c_uint64), ("folder", ctypes.c_int32)]


def confine(config: dict[str, Any]) -> list[str]:
    """Give up what the code to come must not have; name the walls that could not be put up."""
    libc = ctypes.CDLL(None, use_errno=True)
    libc.prctl(PR_SET_PDEATHSIG, 9, 0, 0, 0)
    libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    for name, value in config["limits"].items():
        kind = getattr(resource, name)
        hard = resource.getrlimit(kind)[1]
        most = value if hard == resource.RLIM_INFINITY else min(value, hard)
        resource.setrlimit(kind, (most, most))
    lost: list[str] = []
    files = config["files"]
    if files is not None and not restrict_files(libc, files["read"], files["write"]):
        lost.append("landlock")
    program = base64.b64decode(config["seccomp"])
    found = _FilterProgram(len(program) // 8, program)
    mode = SECCOMP_MODE_FILTER
    if not program or libc.prctl(PR_SET_SECCOMP, mode, ctypes.byref(found), 0, 0):
        lost.append("seccomp")
    return lost


def restrict_files(libc: ctypes.CDLL, readable: list[str], writable: list[str]) -> bool:
    """Close all files but these with Landlock; `False` where the kernel has none."""
    version = libc.syscall(LANDLOCK_CREATE, None, 0, LANDLOCK_VERSION_FLAG)
    if version < 1:
        return False
    every = max((1 << bits) - 1 for least, bits in LANDLOCK_RIGHTS if version >= least)
    # From version 4 on it closes TCP too, from 6 on signals and abstract sockets.
    ruleset = _Ruleset(every, 3 if version >= 4 else 0, 3 if version >= 6 else 0)
    size = 24 if version >= 6 else 16 if version >= 4 else 8
    rules = libc.syscall(LANDLOCK_CREATE, ctypes.byref(ruleset), size, 0)
    if rules < 0:
        return False
    for paths, rights in ((readable, LANDLOCK_READ), (writable, every)):
        for path in filter(os.path.exists, paths):
            folder = os.open(path, os.O_PATH | os.O_CLOEXEC)
            allowed = rights if Path(path).is_dir() else rights & LANDLOCK_FILE_RIGHTS
            rule = _PathRule(allowed, folder)
            libc.syscall(LANDLOCK_ADD_RULE, rules, LANDLOCK_PATH_BENEATH, ctypes.byref(rule), 0)
            os.close(folder)
    done = libc.syscall(LANDLOCK_RESTRICT, rules, 0) == 0
    os.close(rules)
    return done


def main() -> None:
    """Set up, confine, serve."""
    config = json.loads(sys.argv[1])
    sys.path[:0] = config["paths"]
    # Everything that loads slowly, before the first call and before files are out of reach.
    import pydantic  # noqa: PLC0415
    import requests  # noqa: PLC0415

    home = Path(config["home"])
    home.mkdir(parents=True, exist_ok=True)
    sys.path.insert(0, str(home))
    sys.argv[1:] = []
    channel = Channel(config["fd"])
    threading.stack_size(config["stack"])
    lost = confine(config)
    versions = {"requests": str(vars(requests)["__version__"]), "pydantic": pydantic.VERSION}
    channel.send({"op": "ready", "python": sys.version.split()[0], "lost": lost, **versions})
    null = os.open(os.devnull, os.O_RDWR)
    for fd in range(3):
        os.dup2(null, fd)
    os.close(null)
    program = Program(channel, home, config["threads"])
    with contextlib.suppress(OSError):
        program.serve()
    os._exit(0)


if __name__ == "__main__":
    main()
