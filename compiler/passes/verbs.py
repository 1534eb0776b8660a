"""English verbs of API documentation: which read, which change state, and their forms.

`STATE` verbs say that a call changes something; `DESTROY` are those of them that lose data or stop
a service. Many are nouns as well ("order", "stop", "release"): `NOUNS` read as nouns unless grammar
says otherwise, `EITHER` read as verbs unless grammar says otherwise, the rest are always verbs.
"""

from __future__ import annotations

from functools import lru_cache

DESTROY = frozenset(
    {
        "abort", "ban", "cancel", "clean", "cleanup", "clear", "deactivate", "decommission",
        "delete", "del", "deprovision", "deregister", "destroy", "detach", "disable", "discard",
        "drain", "drop", "empty", "erase", "evict", "expire", "expunge", "flush", "halt", "kick",
        "invalidate", "kill", "logoff", "logout", "nuke", "overwrite", "poweroff", "prune",
        "purge", "quit", "reboot", "remove", "reset", "restart", "revert", "revoke", "rm",
        "rollback", "shutdown", "signout", "stop", "suspend", "terminate", "exit", "disarm",
        "truncate", "unassign", "uninstall", "unlink", "unload", "unpublish", "unregister",
        "unsubscribe", "vacuum", "wipe",
    }
)  # fmt: skip
WRITE = frozenset(
    {
        "accept", "acknowledge", "activate", "add", "adjust", "alter", "append", "apply",
        "approve", "archive", "assign", "attach", "backup", "bind", "block", "book", "bookmark",
        "broadcast", "bump", "buy", "change", "charge", "checkout", "claim", "clone", "close",
        "commit", "compact", "configure", "confirm", "connect", "copy", "create", "declare",
        "decline", "decr", "decrease", "decrement", "defragment", "demote", "deploy", "deposit",
        "dequeue",
        "disconnect", "dismiss", "downgrade", "duplicate", "edit", "eject", "enable", "enqueue",
        "enroll", "exec", "execute", "extend", "failover", "favorite", "fire", "follow", "forget",
        "freeze", "grant", "hibernate", "hit", "impersonate", "import", "incr", "increase",
        "increment", "ingest", "initialize", "initiate", "inject", "insert", "install", "invite",
        "invoke", "issue", "join", "launch", "leave", "like", "lock", "mark", "merge", "migrate",
        "modify",
        "mount", "move", "mute", "notify", "open", "order", "patch", "pause", "pay", "pin", "play",
        "pop", "post", "promote", "provision", "publish", "purchase", "push", "put", "queue",
        "reactivate", "rebalance", "rebuild", "record", "recreate", "recycle", "redeem", "refresh",
        "refund", "regenerate", "register", "reindex", "reject", "release", "reload", "rename",
        "renew", "reopen", "replace", "replay", "rescan", "reschedule", "reserve", "resend",
        "restore", "resume", "resync", "retry", "rotate", "run", "save", "schedule", "seek",
        "send", "set", "shuffle", "signup", "skip", "sleep", "snapshot", "snooze", "star", "start",
        "store", "submit", "subscribe", "switch", "swap", "sync", "synchronize", "tag", "toggle",
        "touch", "transfer", "trigger", "turn", "unarchive", "unban", "unbind", "unblock",
        "unfollow", "unfreeze", "unlike", "unlock", "unmount", "unmute", "unpause", "unpin",
        "unstar", "unsuspend", "untag", "unvote", "update", "upgrade", "upload", "upsert",
        "calibrate", "downvote", "poweron", "recalculate", "reconnect", "reinstall", "republish",
        "requeue", "rerun", "retweet", "scan", "upvote", "vote", "wake", "withdraw", "write",
    }
)  # fmt: skip
STATE = DESTROY | WRITE

NOUNS = frozenset(
    {
        "archive", "backup", "bind", "block", "book", "bookmark", "change", "charge", "checkout",
        "claim", "clean", "commit", "compact", "copy", "deposit", "drain", "drop", "edit", "empty",
        "favorite", "fire", "follow", "grant", "hit", "import", "invite", "issue", "leave", "like",
        "mark", "mount", "open", "order", "patch", "pin", "play", "pop", "post", "push", "put",
        "queue", "record", "refund", "register", "release", "replay", "reserve", "scan",
        "schedule", "seek", "set", "sleep", "snapshot", "star", "store", "swap", "switch", "tag",
        "touch", "transfer", "turn", "update", "upgrade", "upload", "vacuum", "vote", "wake",
        "write",
    }
)  # fmt: skip
EITHER = frozenset(
    {
        "add", "ban", "clone", "close", "connect", "deploy", "exec", "failover", "install", "kick",
        "kill", "launch", "lock", "merge", "move", "mute", "pause", "purchase", "quit", "publish",
        "refresh", "reload", "resume", "retry", "run", "send", "skip", "start", "stop", "sync",
        "toggle", "trigger", "unload", "unlock", "buy",
    }
)  # fmt: skip

QUIET = frozenset(
    {
        "accept", "apply", "attach", "bind", "connect", "copy", "extend", "hit", "join", "merge",
        "open", "replace", "shuffle", "skip", "swap", "tag",
    }
)  # fmt: skip
"""Verbs that say in a sentence what a call takes or computes; in a path they are commands."""

TOLD = (DESTROY - {"clean", "detach", "drain", "drop", "empty", "expire", "truncate", "unlink"}) | {
    "activate", "change", "create", "decrement", "enable", "execute", "import", "increment",
    "insert", "install", "launch", "lock", "mark", "modify", "move", "publish", "regenerate",
    "register", "reload", "rename", "renew", "rotate", "send", "start", "submit", "toggle",
    "trigger", "unlock", "update", "upload", "write",
}  # fmt: skip
"""Verbs that are believed in the middle of a description, where a call is the subject."""

READ = frozenset(
    {
        "access", "aggregate", "analyse", "analyze", "browse", "calculate", "check", "compare",
        "compute", "convert", "count", "decode", "describe", "detect", "determine", "diff",
        "display", "download", "dump", "echo", "encode", "enumerate", "estimate", "evaluate",
        "examine", "explore", "export", "expose", "fetch", "filter", "find", "format", "gather",
        "generate", "get", "give", "identify", "indicate", "inspect", "list", "load", "locate",
        "look", "lookup", "match", "measure", "monitor", "obtain", "output", "parse", "peek",
        "ping", "poll", "predict", "preview", "print", "probe", "produce", "provide", "pull",
        "query", "read", "receive", "render", "report", "request", "resolve", "retrieve", "return",
        "reveal", "scrape", "search", "see", "serve", "show", "simulate", "sort", "stream",
        "summarise", "summarize", "tail", "test", "trace", "translate", "validate", "verify",
        "view", "watch",
    }
)  # fmt: skip

DETERMINERS = frozenset(
    {
        "a", "an", "the", "this", "that", "these", "those", "all", "any", "each", "every", "its",
        "your", "their", "one", "some", "given", "specified", "existing", "new", "it", "them",
        "another", "multiple", "several", "particular", "specific", "single", "selected",
        "current",
    }
)  # fmt: skip

NOUN_HEADS = frozenset(
    {
        "amount", "code", "config", "configuration", "count", "data", "date", "description",
        "detail", "details", "distance", "duration", "event", "field", "file", "format",
        "frequency", "height", "history", "id", "identifier", "index", "info", "information",
        "interval", "key", "kind", "label", "level", "limit", "link", "list", "location", "log",
        "logs", "message", "metadata", "metrics", "mode", "name", "node", "note", "notes",
        "number", "option", "options", "page", "parameters", "point", "position", "price",
        "probability", "rate", "reason", "result", "schedule", "search", "size", "state",
        "statistics", "stats", "status", "summary", "time", "timestamp", "token", "type", "url",
        "value", "version", "window",
    }
)  # fmt: skip

_SPECIAL = {
    "has": "have",
    "does": "do",
    "is": "be",
    "shuts": "shutdown",
    "shut": "shutdown",
    "shutting": "shutdown",
    "synchronise": "synchronize",
    "initialise": "initialize",
    "initialises": "initialize",
    "synchronises": "synchronize",
    "ack": "acknowledge",
    "deletion": "delete",
    "removal": "remove",
    "creation": "create",
    "lists": "list",
    "gets": "get",
    "dying": "die",
}


def base_form(word: str) -> str:
    """Give the base form of a verb in imperative, third person or gerund; "" for none we know.

    Participles ("deleted") are no verb forms here: they describe, they do not say what a call does.
    """
    return _base_form(word.lower()) if len(word) <= 24 else ""


@lru_cache(maxsize=8192)
def _base_form(word: str) -> str:
    known = STATE | READ
    if word in known:
        return word
    if word in _SPECIAL:
        return _SPECIAL[word] if _SPECIAL[word] in known else ""
    options: list[str] = []
    if word.endswith("ies"):
        options.append(word[:-3] + "y")
    if word.endswith("es"):
        options.append(word[:-2])
    if word.endswith("s"):
        options.append(word[:-1])
    if word.endswith("ing") and len(word) > 5:
        stem = word[:-3]
        options.extend((stem, stem + "e"))
        if stem[-1] == stem[-2]:
            options.append(stem[:-1])
    return next((option for option in options if option in known), "")


def is_third_person(word: str) -> bool:
    """Tell whether a word is a known verb with the ending of the third person."""
    lower = word.lower()
    return lower.endswith("s") and lower not in STATE | READ and bool(base_form(lower))


def is_gerund(word: str) -> bool:
    """Tell whether a word is a known verb that ends in -ing."""
    lower = word.lower()
    return lower.endswith("ing") and bool(base_form(lower)) and lower not in STATE | READ
