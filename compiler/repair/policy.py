"""What a repaired body may hold: one table, deny by default, allow by list.

A name, attribute, statement or keyword that is in no list is refused; the tables of codes only say
how a refusal is called.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass

CODES: dict[str, str] = {
    "outside-changed": "something outside the function's body differs",
    "syntax": "the source is no Python, or holds characters that do not belong in it",
    "too-long": "more lines, characters or syntax nodes than a body may have",
    "too-deep": "nested more deeply than a body may be",
    "forbidden-syntax": "a statement or expression that no repair needs",
    "nested-definition": "a function, lambda or class inside the body",
    "scope-escape": "global or nonlocal",
    "rebinding": "a name that means something else is bound anew",
    "swallowed-exception": "a failure of the call can be hidden",
    "constant-answer": "what is returned does not come from the server's answer",
    "parameter-dropped": "an argument that was sent is no longer sent",
    "harness-access": "reaches for what tests or surrounds the tool",
    "client-escape": "the client is used in another way than by a direct call",
    "forbidden-import": "an import beyond the allow-list",
    "forbidden-name": "a name that is not on the list",
    "forbidden-attribute": "an attribute that is not on the list",
    "forbidden-keyword": "a keyword that the client's calls do not take",
    "tls-verify": "verification of the server's certificate is touched",
    "other-host": "an address that is not the API's own",
    "other-method": "another HTTP method than the endpoint's",
    "other-path": "a path that is no plain text or leaves the base path",
    "forbidden-header": "a header that belongs to the gateway",
    "dynamic-key": "the name of something sent is not plain text",
    "process-control": "ends or starts processes, or touches the system",
    "concurrency": "threads, tasks or waiting",
    "dynamic-code": "code or names made at run time",
    "file-access": "opens files",
    "attribute-write": "writes to what is not the body's own",
    "star-arguments": "arguments unpacked where names belong",
    "unbounded-loop": "a loop without a bound",
    "resource-bomb": "a value or literal of excessive size",
    "format-trick": "formatting that can read attributes or take much memory",
    "too-many-calls": "more calls than one tool makes",
}
"""Every code of a violation, with what it says."""


@dataclass(frozen=True, slots=True)
class Policy:
    """The whole policy.

    Attributes:
        imports: Module to the names that may be taken from it, dotted or imported.
        builtins: Built-in names that may be used.
        attributes: Attributes that may be read from a value.
        part_keywords: Keywords of the client's calls whose value is a mapping of what is sent.
        keywords: Other keywords of the client's calls.
        headers: Headers that a body may not set, lower case.
        query_keys: Names in query, form or body that switch the method, lower case.
        keeps: Function to the position of the argument whose content it hands on.
        keeping_methods: Methods that hand on the content of their value.
        mutators: Methods that change their value.
        raises: Exceptions that may be raised.
        catches: Exceptions that may be caught, around anything but the call.
    """

    imports: dict[str, frozenset[str]]
    builtins: frozenset[str]
    attributes: frozenset[str]
    part_keywords: frozenset[str]
    keywords: frozenset[str]
    headers: frozenset[str]
    query_keys: frozenset[str]
    keeps: dict[str, int]
    keeping_methods: frozenset[str]
    mutators: frozenset[str]
    raises: frozenset[str]
    catches: frozenset[str]
    name_codes: dict[str, str]
    module_codes: dict[str, str]
    attribute_codes: dict[str, str]
    nodes: tuple[type[ast.AST], ...]
    node_codes: tuple[tuple[tuple[type[ast.AST], ...], str], ...]
    calls: int = 2
    lines: int = 60
    characters: int = 6_000
    syntax_nodes: int = 900
    depth: int = 30
    text_length: int = 300
    kept_text_length: int = 8
    number: int = 10**13
    repeats: int = 1_000
    elements: int = 32


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


def _codes(**names: str) -> dict[str, str]:
    table = {name: code.replace("_", "-") for code, text in names.items() for name in text.split()}
    return dict(sorted(table.items()))


POLICY = Policy(
    imports={
        "json": _words("loads dumps JSONDecodeError"),
        "re": _words("sub search match fullmatch findall split escape IGNORECASE MULTILINE I M"),
        "datetime": _words("date datetime time timedelta timezone UTC"),
        "math": _words("floor ceil trunc isfinite isnan fabs"),
        "urllib.parse": _words("quote quote_plus unquote unquote_plus urlencode"),
        "base64": _words("b64encode b64decode urlsafe_b64encode urlsafe_b64decode"),
        "itertools": _words("chain islice zip_longest pairwise"),
        "typing": _words("Any Literal cast"),
        "collections.abc": _words("Mapping Sequence Iterable"),
        "pydantic": _words("JsonValue"),
        # Only what the module's own imports bring in; a body cannot import it.
        "builtins": _words("str int float bool bytes list dict"),
    },
    builtins=_words(
        "str int float bool bytes list dict tuple set frozenset len sorted reversed enumerate zip "
        "range min max sum abs round any all isinstance ord chr ValueError TypeError KeyError "
        "IndexError"
    ),
    attributes=_words(
        "get items keys values append extend update copy index count "
        "strip lstrip rstrip removeprefix removesuffix split rsplit splitlines partition "
        "rpartition replace lower upper title capitalize startswith endswith join encode decode "
        "find rfind zfill isdigit isalpha isalnum isnumeric isspace group groups groupdict "
        "isoformat fromisoformat fromtimestamp strftime strptime timestamp date time timetuple "
        "year month day hour minute second microsecond weekday isoweekday toordinal astimezone "
        "total_seconds days seconds utc hex is_integer sort reverse"
    ),
    part_keywords=_words("path path_slashes query headers cookies body form multipart"),
    keywords=_words("base text model"),
    headers=_words(
        "host authorization proxy-authorization cookie connection content-length upgrade te "
        "transfer-encoding expect trailer proxy-connection forwarded x-forwarded-host "
        "x-forwarded-for x-forwarded-proto x-real-ip x-original-url x-rewrite-url x-http-method "
        "x-http-method-override x-method-override"
    ),
    query_keys=_words("_method x-http-method-override x-http-method x-method-override"),
    keeps={
        "json.loads": 0,
        "base64.b64decode": 0,
        "base64.urlsafe_b64decode": 0,
        "urllib.parse.unquote": 0,
        "urllib.parse.unquote_plus": 0,
        "re.sub": 2,
        "re.search": 1,
        "re.match": 1,
        "re.fullmatch": 1,
        "re.findall": 1,
        "re.split": 1,
        "typing.cast": 1,
        "itertools.chain": 0,
        "itertools.islice": 0,
        "list": 0,
        "dict": 0,
        "tuple": 0,
        "str": 0,
        "int": 0,
        "float": 0,
        "sorted": 0,
        "reversed": 0,
        "enumerate": 0,
    },
    keeping_methods=_words(
        "get items keys values copy strip lstrip rstrip removeprefix removesuffix split rsplit "
        "splitlines partition rpartition replace lower upper encode decode group groups groupdict"
    ),
    mutators=_words("append extend update sort reverse"),
    raises=_words("ValueError TypeError"),
    catches=_words("ValueError TypeError KeyError IndexError json.JSONDecodeError JSONDecodeError"),
    name_codes=_codes(
        dynamic_code="eval exec compile getattr setattr delattr __import__ globals locals vars dir "
        "hasattr type super callable breakpoint input",
        process_control="exit quit SystemExit KeyboardInterrupt os sys subprocess signal ctypes",
        swallowed_exception="BaseException Exception contextlib suppress",
        file_access="open Path pathlib io",
        harness_access="__builtins__ __name__ __file__ __loader__ __spec__ __package__ inspect gc "
        "traceback object print help memoryview requests session response",
        concurrency="threading asyncio time sleep",
        format_trick="format",
        other_host="socket urllib http",
    ),
    module_codes=_codes(
        process_control="os sys subprocess signal ctypes posix shutil resource faulthandler pty "
        "atexit mmap fcntl",
        harness_access="gc inspect traceback builtins types operator functools unittest pytest "
        "requests urllib3 weakref warnings logging site _thread doc2tools client errors",
        dynamic_code="importlib pickle marshal code codeop ast runpy pkgutil zipimport string",
        concurrency="threading asyncio multiprocessing concurrent queue sched time selectors",
        swallowed_exception="contextlib",
        file_access="io pathlib tempfile glob fileinput shelve sqlite3",
        other_host="socket ssl http ftplib smtplib urllib.request telnetlib xmlrpc aiohttp httpx",
    ),
    attribute_codes=_codes(
        format_trick="format format_map",
        harness_access="modules mro f_globals f_back gi_frame cr_frame tb_frame adapters mount "
        "session get_adapter use close",
        dynamic_code="func_globals",
        resource_bomb="ljust rjust center expandtabs",
    ),
    nodes=(
        *(ast.Return, ast.Assign, ast.AnnAssign, ast.AugAssign, ast.For, ast.If, ast.Raise),
        *(ast.Try, ast.ExceptHandler, ast.Import, ast.ImportFrom, ast.alias, ast.Expr, ast.Pass),
        *(ast.Break, ast.Continue, ast.BoolOp, ast.BinOp, ast.UnaryOp, ast.IfExp, ast.Dict),
        *(ast.Set, ast.List, ast.Tuple, ast.ListComp, ast.SetComp, ast.DictComp),
        *(ast.GeneratorExp, ast.comprehension, ast.Compare, ast.Call, ast.keyword),
        *(ast.FormattedValue, ast.JoinedStr, ast.Constant, ast.Attribute, ast.Subscript, ast.Slice),
        *(ast.Name, ast.And, ast.Or, ast.Add, ast.Sub, ast.Mult, ast.Div, ast.FloorDiv),
        *(ast.BitOr, ast.Not, ast.USub, ast.UAdd, ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt),
        *(ast.GtE, ast.Is, ast.IsNot, ast.In, ast.NotIn, ast.Load, ast.Store),
    ),
    node_codes=(
        ((ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda), "nested-definition"),
        ((ast.Global, ast.Nonlocal), "scope-escape"),
        ((ast.While,), "unbounded-loop"),
        ((ast.NamedExpr,), "rebinding"),
        ((ast.TryStar, ast.With, ast.AsyncWith), "swallowed-exception"),
        ((ast.Await, ast.AsyncFor), "concurrency"),
        ((ast.Pow, ast.LShift), "resource-bomb"),
        ((ast.Mod,), "format-trick"),
        ((ast.Starred,), "star-arguments"),
    ),
)
