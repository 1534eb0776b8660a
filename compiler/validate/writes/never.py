"""What is never called for a proof, whatever is allowed: a table of words, with reasons.

Words of the path count most, then the tool's name and title; running text counts only where it
speaks of an action. A refusal too many costs one proof, one too few may cost somebody's data.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import urlsplit

from doc2tools.compiler.ir.spec import Endpoint, Parameter
from doc2tools.param_db.naming import fold, singular, words

__all__ = ["never", "never_field"]


@dataclass(frozen=True, slots=True)
class Taboo:
    """One kind of call that is never made.

    Attributes:
        reason: Completes "never called: …".
        nouns: Words that count in paths and names.
        verbs: Words that count in titles and summaries, too.
    """

    reason: str
    nouns: frozenset[str]
    verbs: frozenset[str]


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


TABOOS: tuple[Taboo, ...] = (
    Taboo(
        "keys, tokens, secrets and passwords are not for trying out",
        _words(
            "key apikey token accesstoken secret password passwd passphrase credential cred "
            "certificate cert auth oauth oauth2 login logout logon session signin signout signup "
            "sso saml otp mfa totp 2fa keypair ssh gpg vault jwt signature license"
        ),
        _words(
            "apikey token secret password passwd passphrase credential rotate revoke regenerate "
            "renew authenticate login logout impersonate"
        ),
    ),
    Taboo(
        "billing, payments and orders cost money",
        _words(
            "bill billing payment pay payout paymentmethod order checkout cart basket invoice "
            "charge refund subscription plan purchase buy price pricing card creditcard wallet "
            "bank transfer transaction withdrawal deposit donation coupon quote quotation tax "
            "booking reservation shipment shipping delivery trade ledger balance credit"
        ),
        _words(
            "billing payment pay payout checkout invoice charge refund purchase buy transfer "
            "withdraw deposit donate ship trade"
        ),
    ),
    Taboo(
        "users, accounts and permissions belong to people",
        _words(
            "user account member membership permission role acl people person profile customer "
            "employee identity principal team organization organisation org tenant owner admin "
            "administrator sudo grant policy privilege rbac iam me self collaborator contact "
            "subscriber follower friend guest invitee usergroup ownership access"
        ),
        _words("permission acl privilege grant impersonate ban unban suspend deactivate enroll"),
    ),
    Taboo(
        "it acts on the service as a whole",
        _words(
            "shutdown restart reboot reload reset restore backup snapshot migrate migration purge "
            "clear flush wipe format stop halt poweroff kill terminate quit maintenance upgrade "
            "downgrade install uninstall reindex rebuild vacuum compact failover drain system "
            "server cluster node config configuration setting global factory truncate drop gc "
            "prune cleanup clean standby promote demote replicate rollback revert undo database db "
            "schema firewall dns domain network route volume disk partition instance vm host"
        ),
        _words(
            "shutdown shutdowns restart reboot reload reset restore backup migrate purge flush "
            "wipe truncate halt terminate uninstall failover rollback prune"
        ),
    ),
    Taboo(
        "it acts on many objects at once",
        _words(
            "bulk batch all mass multi multiple everything many every any _bulk _all import "
            "export sync synchronize merge replace query transaction _delete_by_query "
            "_update_by_query"
        ),
        _words("bulk batch mass multiple everything several"),
    ),
    Taboo(
        "it reaches people or other systems",
        _words(
            "publish publication send notify notification notice mail email newsletter sms mms "
            "message msg chat call phone push webhook hook callback broadcast announce "
            "announcement tweet invite invitation alert alarm campaign fax share forward "
            "reply emit trigger subscribe unsubscribe"
        ),
        _words(
            "publish send notify notification mail email sms webhook broadcast announce tweet "
            "invite share forward trigger"
        ),
    ),
    Taboo(
        "it runs something",
        _words(
            "execute exec run eval evaluate script deploy deployment release job process "
            "command cmd shell console pipeline workflow build launch start invoke lambda function "
            "cron schedule scheduler queue worker container pod service daemon action rpc sql "
            "expression macro plugin extension"
        ),
        _words("execute exec run eval script deploy launch invoke shell"),
    ),
)
"""The first that fits gives the reason."""

_TEXT: tuple[tuple[re.Pattern[str], str], ...] = (
    (
        re.compile(
            r"\birrevers|\birrevoc|\bunrecoverabl|"
            r"\b(?:can ?not|can't|can not|never) be (?:un|re)(?:done|versed|stored|covered)\b|"
            r"\bno (?:undo|way back)\b|\bcan ?not undo\b"
        ),
        "its text says that it cannot be undone",
    ),
    (
        re.compile(
            r"\b(?:api|access|secret|private|signing)[ -](?:key|token)s?\b|\bcredentials?\b"
        ),
        "keys, tokens, secrets and passwords are not for trying out",
    ),
    (
        re.compile(
            r"\b(?:sends?|sending|sent|delivers?|emails?|e-mails?|notif(?:y|ies|ied)|texts?) "
            r"(?:an? |the |out |to )?(?:\w{1,20} )?(?:e-?mails?|mail|sms|messages?|notifications?|"
            r"invitations?|followers?|subscribers?|users?|members?|watchers?|everyone|recipients?|"
            r"customers?|webhooks?|push)\b|\b(?:followers|subscribers|watchers|members|"
            r"recipients|users) (?:are|will be|get|is) (?:notified|e-?mailed|informed|alerted)\b|"
            r"\btriggers? (?:a |an |the )?(?:webhook|build|deploy|notification|job|workflow)"
        ),
        "it reaches people or other systems",
    ),
    (
        re.compile(
            r"\b(?:charges?|bills?|debits?) (?:the |a |your )?(?:customer|card|account|user)\b|"
            r"\bplaces? an? order\b|\bpayments?\b|\binvoices?\b|\bwill be (?:charged|billed)\b"
        ),
        "billing, payments and orders cost money",
    ),
    (
        re.compile(
            r"\b(?:restarts?|reboots?|shuts? down|reloads?|wipes?|flush(?:es)?|purges?) "
            r"(?:the |a |this )?(?:whole |entire )?\w"
        ),
        "it acts on the service as a whole",
    ),
)
_MANY = re.compile(r"\b(?:all|every|entire|everything|each)\b")
_ALL_PARTS = re.compile(
    r"\ball (?:of )?(?:the |its |these |those |other )?(?:\w{1,20} ){0,2}?"
    r"(?:fields?|parameters?|propert(?:y|ies)|attributes?|arguments?|values?|columns?|keys?|"
    r"requests?|responses?|timestamps?|dates?|times?)\b|\b(?:at|after|above|in|for) all\b|"
    r"\b(?:each|every) (?:field|parameter|property|attribute|request|call|value|response)\b"
)
_HANDLING = _words(
    "create add make new delete remove update change edit modify replace set put post patch store "
    "register save destroy creating adding deleting removing updating changing"
)
_FILLERS = _words("a an the new one your this that given existing specified single specific of")
_SENDING = re.compile(
    r"\bsend(?:s|ing)? (?:an? |the |your |this )?(?:\W?\w{1,12}\W? ){0,3}"
    r"(?:requests?|calls?|body|json|payload)\b",
    re.IGNORECASE,
)
"""What the reader of the documentation sends is no message to anybody."""

_SECRET_FIELDS = _words(
    "password passwd passphrase secret token api_key apikey credential private_key pin otp ssn "
    "access_key client_secret auth_token access_token card_number cvv cvc iban credit_card"
)
_PEOPLE_FIELDS = _words(
    "email e_mail mail recipient recipients phone telephone mobile phone_number cc bcc to_address "
    "subscriber invitee attendee msisdn"
)
_OUTSIDE_FIELDS = _words("webhook callback hook script command cmd code query sql expression eval")
_OUTSIDE_WORDS = _words("webhook callback script command sql")


def never(endpoint: Endpoint) -> str:
    """Give why a call that changes state is never made for a proof, or "" where it may be."""
    segments = endpoint.path.split("/")
    if any("*" in part or part.startswith(("_", "-")) for part in segments if "{" not in part):
        return "a path with wildcards or commands of its own is not for trying out"
    static = [word for part in (*_places(endpoint.base_url), *segments) for word in _static(part)]
    named = [singular(word) for word in words(endpoint.name)]
    said = _SENDING.sub(" ", f"{endpoint.title}. {endpoint.summary}"[:400])
    spoken = [singular(word) for piece in said.split() for word in words(piece)]
    objects = _objects(spoken)
    for taboo in TABOOS:
        for word in static:
            if word in taboo.nouns or word in taboo.verbs:
                return f"{taboo.reason} ({word!r} in the path)"
        for word in objects:
            if word in taboo.nouns:
                return f"{taboo.reason} ({word!r} is what its title speaks of)"
        for word in (*named, *spoken):
            if word in taboo.verbs:
                return f"{taboo.reason} ({word!r} in its name or title)"
    return _said(endpoint)


def never_field(parameter: Parameter) -> str:
    """Give why a call that needs this field is never made, or "" where it may be."""
    name = fold(parameter.name)
    parts = set(name.split("_"))
    if name in _SECRET_FIELDS or parts & {"password", "secret", "token", "credential"}:
        return f"it takes a secret ({parameter.name})"
    if name in _PEOPLE_FIELDS or parts & {"email", "phone", "recipient"}:
        return f"it may write to a person ({parameter.name})"
    if parameter.format == "email":
        return f"it may write to a person ({parameter.name})"
    if name in _OUTSIDE_FIELDS or parts & _OUTSIDE_WORDS:
        return f"it may run or call something ({parameter.name})"
    return f"it takes a file ({parameter.name})" if parameter.type == "file" else ""


def _said(endpoint: Endpoint) -> str:
    text = " ".join(f"{endpoint.title}. {endpoint.summary}. {endpoint.description}"[:6000].split())
    text = text.lower().replace("\u2019", "'")
    for pattern, reason in _TEXT:
        found = pattern.search(text)
        if found:
            return f"{reason} ({found.group()!r} in its text)"
    found = _MANY.search(_ALL_PARTS.sub(" ", text))
    return f"it acts on many objects at once ({found.group()!r} in its text)" if found else ""


def _places(base_url: str) -> list[str]:
    """Give the subdomains and path segments of a base URL; `billing.` says what `/billing` says."""
    try:
        parts = urlsplit(base_url)
        host = parts.hostname or ""
    except ValueError:
        return []
    labels = [] if host.replace(".", "").isdigit() or ":" in host else host.split(".")[:-2]
    return [*labels, *parts.path.split("/")]


def _objects(spoken: list[str]) -> list[str]:
    """Give what a title says is made, changed or deleted: the words after such a verb."""
    found: list[str] = []
    for number, word in enumerate(spoken):
        if word in _HANDLING:
            after = [one for one in spoken[number + 1 : number + 6] if one not in _FILLERS]
            found.extend(after[:2])
    return found


def _static(segment: str) -> list[str]:
    """Give the words of a path segment outside placeholders, each also in the singular."""
    plain = re.sub(r"\{[^{}]{0,200}\}", " ", segment)
    found = [word for part in words(plain) for word in (part, singular(part))]
    whole = re.sub(r"[^a-z0-9]", "", plain.lower())
    return [*found, whole, singular(whole)] if whole else found
