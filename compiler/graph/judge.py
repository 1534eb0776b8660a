"""Stage two: each similar pair is kept or dropped, with a written reason.

What contradicts (type, format, choices, another resource) outweighs what speaks for a pair; values
that were really seen speak loudest.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from doc2tools.compiler.graph.candidates import is_telling
from doc2tools.compiler.graph.clashes import clash_of
from doc2tools.compiler.graph.links import Link, best_link, fitting_handle, shared_noun
from doc2tools.compiler.graph.surface import FieldSite, ParameterSite, Surface
from doc2tools.param_db.naming import is_generic, words
from doc2tools.param_db.privacy import is_secret_name

__all__ = ["LEAST_SURE", "Dropped", "Judge", "Kept"]

LEAST_SURE = 0.5
_SHARED_BONUS = 0.2
_SHARED_ALONE = 0.55

_PAGING_WORDS = """
    page per_page page_size pagesize page_number page_token limit offset cursor skip take top
    max_result max_item start_at start_index next_token continuation_token after before since_id
    max_id size count row num_result result_per_page
"""
_SETTING_WORDS = """
    sort sort_by sort_order order order_by orderby direction format output pretty indent lang
    language locale field include exclude expand embed verbose debug callback jsonp wait timeout
    dry_run force recursive refresh append_to_response accept_language unit units timezone tz
"""
_FREE_TEXT = frozenset({"q", "query", "search", "keyword", "term", "text", "filter", "where", "s"})
_TIME_WORDS = frozenset(
    {"date", "time", "timestamp", "since", "until", "from", "to", "start", "end"}
)
_BOUND_WORDS = frozenset({"gte", "lte", "gt", "lt", "min", "max", "minimum", "maximum"})
_PAGING = frozenset(_PAGING_WORDS.split())
_SETTINGS = frozenset(_SETTING_WORDS.split())
_IDENTIFYING = frozenset({"id", "name", "key", "slug", "code"})


@dataclass(frozen=True, slots=True)
class Kept:
    """The pair stands."""

    score: float
    reason: str


@dataclass(frozen=True, slots=True)
class Dropped:
    """The pair does not stand; `kind` is the class of reason that is counted."""

    kind: str


@dataclass(slots=True)
class Judge:
    """Judges pairs of parameter and field of one surface."""

    surface: Surface

    def unfit(self, site: ParameterSite) -> str:
        """Say why no answer should feed a parameter at all; "" if one may."""
        parameter = site.parameter
        paging = self.surface.tools[site.tool].endpoint.pagination
        if site.name in _PAGING or (paging and parameter.name in paging.parameters):
            return "paging"
        if parameter.enum:
            return "choices are stated"
        if parameter.type in {"boolean", "file"}:
            return "setting"
        unfit = "" if parameter.location == "path" else _unfit_option(site)
        return "" if unfit == "free text" and site.known else unfit

    def judge(self, site: ParameterSite, one: FieldSite, similarity: float) -> Kept | Dropped:
        """Judge one pair of a parameter that is not unfit."""
        source = self.surface.tools[one.tool].endpoint
        target = self.surface.tools[site.tool].endpoint
        shared = shared_values(site, one)
        link = best_link(site, one, source, target)
        if link is None and not shared:
            return Dropped(_why_unlinked(site, one))
        if clash := clash_of(site, one):
            return Dropped(clash)
        if self._is_echo(site, one):
            return Dropped("echo of an argument")
        if link is None:
            if is_generic(one.name) and one.name not in _IDENTIFYING:
                return Dropped("generic field")
            link = Link(_SHARED_ALONE, "its values have worked")
        elif shared:
            seen = f"; the value {shared[0][:40]!r} that works was seen there"
            link = Link(min(1.0, link.score + _SHARED_BONUS), link.reason + seen)
        score = link.score * (0.95 + 0.05 * similarity)
        if not shared and _site(source.base_url) != _site(target.base_url):
            return Dropped("other API")
        if source.effect.kind == "destructive":
            score *= 0.8
        return Kept(score, link.reason) if score >= LEAST_SURE else Dropped("too weak")

    def _is_echo(self, site: ParameterSite, one: FieldSite) -> bool:
        """Tell whether the field only gives back what the source was called with.

        A call that needs a movie's id is no way to get a movie's id, unless it gives other movies'.
        """
        for given in self.surface.by_tool[one.tool]:
            if not given.parameter.required or not _same_meaning(given, site):
                continue
            if one.seen.observed and given.known:
                known = {str(value) for value in given.known}
                return all(str(value) in known for value in one.seen.samples)
            own = one.record.top and not one.record.listed and not one.owner
            if own or one.owner in given.nouns or (one.name == given.name and not one.record.key):
                return True
        return False


@lru_cache(maxsize=4096)
def _site(base_url: str) -> str:
    """Give the part of a host that its neighbours share: `api.example.com` → `example.com`."""
    host = base_url.partition("://")[2].partition("/")[0].rpartition("@")[2].partition(":")[0]
    labels = host.split(".")
    return host if labels[-1].isdecimal() else ".".join(labels[-2:])


def _same_meaning(given: ParameterSite, site: ParameterSite) -> bool:
    if given.name == site.name and not is_generic(site.name):
        return True
    shared = shared_noun(site, given.nouns)[1] >= 0.7
    return shared and (given.handle == site.handle or not given.handle or not site.handle)


def shared_values(site: ParameterSite, one: FieldSite) -> list[str]:
    """Give the telling values that are known to be good for the parameter and in the field."""
    if not site.known or not one.seen.samples:
        return []
    seen = {str(value).casefold() for value in one.seen.samples}
    known = (value for value in site.known if is_telling(value))
    return [str(value) for value in known if str(value).casefold() in seen]


def _why_unlinked(site: ParameterSite, one: FieldSite) -> str:
    if one.handle and not one.owner and site.nouns:
        noun = shared_noun(site, one.record.nouns)[0]
        if not noun:
            return "other resource"
        if not fitting_handle(site, one.handle, one.record.names, noun):
            return "other identifier"
    if one.owner and site.nouns:
        return "other resource"
    if is_generic(one.name):
        return "generic field"
    return "unrelated"


def _unfit_option(site: ParameterSite) -> str:
    """Say why no answer should feed a parameter that is no part of the path; "" if one may."""
    parts = words(site.parameter.name) or ("",)
    if is_secret_name(site.parameter.name):
        return "secret"
    if (site.name in _SETTINGS and not site.nouns) or parts[-1] in _BOUND_WORDS:
        return "setting"
    if site.name in _FREE_TEXT:
        return "free text"
    timed = site.parameter.format in {"date", "date-time"} or parts[-1] in _TIME_WORDS
    return "time" if timed else ""
