"""Names of HTML elements by what they do to the text around them."""

from __future__ import annotations

VOID = frozenset(
    (
        *("area", "base", "br", "col", "embed", "hr", "img", "input", "keygen", "link"),
        *("meta", "param", "source", "track", "wbr"),
    )
)
BLOCKS = frozenset(
    (
        *("address", "article", "aside", "blockquote", "body", "caption", "center", "dd"),
        *("details", "dialog", "dir", "div", "dl", "dt", "fieldset", "figcaption"),
        *("figure", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header"),
        *("hgroup", "hr", "legend", "li", "main", "menu", "nav", "noscript", "ol"),
        *("optgroup", "option", "p", "pre", "search", "section", "summary", "table"),
        *("tbody", "td", "template", "tfoot", "th", "thead", "tr", "ul", "xmp"),
    )
)
INLINE = frozenset(
    (
        *("a", "abbr", "acronym", "applet", "area", "audio", "b", "base", "basefont"),
        *("bdi", "bdo", "big", "blink", "br", "button", "canvas", "circle", "cite"),
        *("clippath", "code", "col", "colgroup", "data", "datalist", "defs", "del", "desc"),
        *("dfn", "ellipse", "em", "embed", "filter", "font", "foreignobject", "frame"),
        *("frameset", "g", "head", "html", "i", "iframe", "image", "img", "input", "ins"),
        *("kbd", "keygen", "label", "line", "lineargradient", "link", "map", "mark"),
        *("marquee", "mask", "math", "meta", "meter", "nobr", "noembed", "noframes"),
        *("object", "output", "param", "path", "pattern", "picture", "plaintext"),
        *("polygon", "polyline", "progress", "q", "radialgradient", "rb", "rect", "rp"),
        *("rt", "rtc", "ruby", "s", "samp", "script", "select", "slot", "small", "source"),
        *("span", "stop", "strike", "strong", "style", "sub", "sup", "svg", "symbol"),
        *("text", "textarea", "time", "title", "tr", "track", "tspan", "tt", "u", "use"),
        *("var", "video", "wbr"),
    )
)
AMBIGUOUS = frozenset(
    (
        *("address", "article", "base", "data", "filter", "image", "label", "line", "link"),
        *("map", "mask", "meter", "object", "option", "output", "param", "path", "pattern"),
        *("section", "select", "source", "stop", "symbol", "text", "time", "track", "use"),
    )
)
"""Tags that as likely stand for a placeholder: without attributes and end tag they are one."""

HEADINGS = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))
