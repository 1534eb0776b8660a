"""Wrong values for control calls: of the same type and form as the right one, but of nothing.

A control in another form would be refused for its form, and would prove nothing about the value.
"""

from __future__ import annotations

import re
from collections.abc import Collection

from doc2tools.compiler.ir.base import JsonValue
from doc2tools.compiler.ir.spec import Parameter
from doc2tools.param_db.fit import fits, shaped

__all__ = ["wrong_values"]

_INTEGERS = (987_654_321, 1_876_543_210)
_DATE = re.compile(r"\d{4}(?=-\d{2}(-\d{2}|$))")
_ADDRESS = re.compile(r"[a-z][a-z0-9+.-]{1,20}://[^/?#]{0,300}", re.IGNORECASE)
_QUANTITY = re.compile(
    r"[+-]?\d{1,12}(\.\d{1,9})?(e[+-]?\d{1,3}|%|([a-z]{1,2}\d{1,6}){0,4}[a-z]{1,2})"
)
"""A number with a unit, such as `1h30m`, `2ms` or `5e3`: in other units it would mean nothing."""
_UUID = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
_HEX = re.compile(
    rf"{_UUID.pattern}|(?=[0-9a-fA-F]{{0,127}}[0-9])(?=[0-9a-fA-F]{{0,127}}[a-fA-F])[0-9a-fA-F]{{12,128}}"
)
_HEX_DIGITS = frozenset("0123456789abcdefABCDEF")
_WHOLE = re.compile(r"[+-]?\d{1,9}")
_LOWER = "abcdefghijklmnopqrstuvwxyz"
_DIGITS = "0123456789"
_SHORT = 6


def wrong_values(
    value: str | int | float | bool, parameter: Parameter, known: Collection[str]
) -> tuple[JsonValue, ...]:
    """Give up to two values that name nothing, of different lengths where the form allows it.

    Args:
        value: A right value.
        parameter: What takes it.
        known: Values that name something, as text.
    """
    if isinstance(value, bool):
        return (not value,)
    found: list[JsonValue] = []
    for turn in (0, 1):
        wrong = shaped(_wrong(value, turn, parameter), parameter)
        texts = {str(item) for item in (wrong if isinstance(wrong, list) else [wrong])}
        fresh = wrong not in found and not texts & set(known) and str(value) not in texts
        if fresh and (parameter.enum or fits(wrong, parameter)):
            found.append(wrong)
    return tuple(found)


def _wrong(value: str | int | float, turn: int, parameter: Parameter) -> str | int | float:
    if isinstance(value, int):
        return _integer(turn, parameter)
    if isinstance(value, float):
        return _INTEGERS[turn] + 0.5 if parameter.maximum is None else float(parameter.maximum)
    return _wrong_text(value, turn, parameter)


def _wrong_text(value: str, turn: int, parameter: Parameter) -> str:
    if _WHOLE.fullmatch(value):
        return str(_integer(turn, parameter)).zfill(len(value))
    if address := _ADDRESS.match(value):
        rest = value[address.end() :] or "/index"
        return address.group() + _turned(rest, turn)
    named, mark, digest = value.rpartition(":")
    if _HEX.fullmatch(digest):  # `sha256:…` keeps its name
        return named + mark + _turned_hex(digest, turn)
    if _DATE.match(value):
        return ("1971", "1973")[turn] + value[4:]
    if _QUANTITY.fullmatch(value):
        return value.translate(str.maketrans(_DIGITS, _turned_digits(turn)))
    return _turned(value, turn)


def _turned_hex(text: str, turn: int) -> str:
    """Replace each hexadecimal digit by another one; a UUID keeps its version and variant."""
    up = (5, 3)[turn]
    turned = "".join(
        _hex_digit((int(one, 16) + up) % 16, like=text) if one in _HEX_DIGITS else one
        for one in text
    )
    if _UUID.fullmatch(text):
        turned = turned[:14] + text[14] + turned[15:19] + text[19] + turned[20:]
    return turned


def _hex_digit(number: int, *, like: str) -> str:
    digit = f"{number:x}"
    return digit.upper() if like.isupper() else digit


def _turned_digits(turn: int) -> str:
    up = (5, 3)[turn]
    return _DIGITS[up:] + _DIGITS[:up]


def _integer(turn: int, parameter: Parameter) -> int:
    wanted = _INTEGERS[turn]
    if parameter.maximum is not None and wanted > parameter.maximum:
        return int(parameter.maximum) - turn
    return wanted


def _turned(text: str, turn: int) -> str:
    """Replace each letter by another letter and each digit by another digit; lengthen the short."""
    by = (13, 7)[turn]
    letters = _LOWER[by:] + _LOWER[:by]
    digits = _turned_digits(turn)
    source = _LOWER + _LOWER.upper() + _DIGITS
    turned = text.translate(str.maketrans(source, letters + letters.upper() + digits))
    if turned == text:
        turned = f"{text}-nosuchvalue"
    while len(turned) < _SHORT and turned.isalnum():
        turned += turned
    return turned + (turned[-1] if turned[-1].isalnum() else "x") * 2 * turn
