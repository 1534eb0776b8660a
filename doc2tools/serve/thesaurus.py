"""Words that stand for each other when people speak of APIs, and what a request's verb asks for.

Word vectors of a small static model put `host` nowhere near `server`; a short list does. It holds
the common vocabulary of web services and operations, nothing of a single API.
"""

from __future__ import annotations

_GROUPS = """
delete remove drop erase purge uninstall destroy discard clear clean away rid
cancel revoke invalidate undo withdraw
create add new make register insert
upload send submit push import put post
update change rename modify edit correct alter set adjust patch
replace switch
refresh reload renew sync
list show display enumerate
search find query lookup match filter
stop shutdown halt quit exit
start launch run boot begin
restart reboot
enable activate on
disable deactivate off
login log auth authenticate authentication sign signin credential
token ticket
password credential secret
user account member
comment note remark annotation
downtime maintenance outage
alert alarm warning notification
silence mute suppress downtime inhibit
notification message
problem issue incident outage trouble
host server machine node computer
service daemon process
monitor monitoring check
folder directory
file document
picture image photo graphic
graph chart diagram plot picture
song track music item audio
album record
cover art artwork
version release build
status state health condition
health healthy alive
statistic stat figure count counter number total
metric measurement counter series
config configuration setting option
flag option argument
type kind class sort
content body
tag label
random arbitrary
uuid unique identifier
echo return reflect repeat mirror
browser agent client
address ip
redirect forward bounce
wait delay hold postpone defer
schedule plan
acknowledge aware confirm
duration time travel
range period interval history yesterday hour
route direction drive way
nearest closest near
road street
trip tour journey
matrix table pair
repository repo archive
snapshot backup freeze copy
difference diff compare change
merge combine join
expression formula
target endpoint job
module package plugin extension
leader master primary
follower replica secondary
storage store disk database
expire expiry ttl
diagnostic troubleshooting debug
variable constant
template pattern blueprint
event stream notification
subscribe listen watch
format pretty
certificate tls ssl
""".strip().splitlines()

GROUPS = tuple(tuple(line.split()) for line in _GROUPS)


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


READING = _words(
    "which what whats who whom when where how is are was were do does did has have can show "
    "list find get give tell look fetch see search count display read check view download"
)
"""First words of requests that want to know something."""

CHANGING = {
    "DELETE": _words(
        "delete remove drop erase purge uninstall cancel clear destroy discard kick revoke "
        "invalidate undo throw rid take"
    ),
    "POST": _words(
        "create add new make register insert upload submit push import build set start stop "
        "restart run install post plan schedule send subscribe combine merge freeze publish put "
        "append evaluate acknowledge leave hold reschedule"
    ),
    "PUT": _words(
        "update change rename modify edit correct alter set adjust patch replace switch refresh "
        "reload turn enable disable store put move"
    ),
}
"""First words of requests that want something changed, by the method that usually does it."""
