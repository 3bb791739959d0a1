"""Amounts in Spanish words, as in the Americas: whole units in words, and minor units as on a cheque.

A million has a plural and is a noun: "dos millones de dólares". A thousand millions have no word of their
own: "mil millones"; a billón is a million of millions. Numbers agree with a currency of feminine gender:
"doscientas una libras".
"""

from collections.abc import Iterator
from typing import Final

from controller.currency import Currency
from controller.currency.formatting import unit_name

SMALL: Final = (
    "cero",
    "uno",
    "dos",
    "tres",
    "cuatro",
    "cinco",
    "seis",
    "siete",
    "ocho",
    "nueve",
    "diez",
    "once",
    "doce",
    "trece",
    "catorce",
    "quince",
    "dieciséis",
    "diecisiete",
    "dieciocho",
    "diecinueve",
    "veinte",
    "veintiuno",
    "veintidós",
    "veintitrés",
    "veinticuatro",
    "veinticinco",
    "veintiséis",
    "veintisiete",
    "veintiocho",
    "veintinueve",
)
TENS: Final = ("", "", "", "treinta", "cuarenta", "cincuenta", "sesenta", "setenta", "ochenta", "noventa")
HUNDREDS: Final = (
    "",
    "ciento",
    "doscientos",
    "trescientos",
    "cuatrocientos",
    "quinientos",
    "seiscientos",
    "setecientos",
    "ochocientos",
    "novecientos",
)
MILLION: Final = 10**6
LARGE: Final = ((10**12, "billón", "billones"), (MILLION, "millón", "millones"))
FEMININE: Final = frozenset({"corona", "grivna", "leva", "libra", "lira", "pataca", "rufiya", "rupia"})
"""Names of currencies that are feminine."""
LOCALE: Final = "es_419"


def amount(minor: int, currency: Currency) -> str:
    """ "mil doscientos treinta y cuatro dólares estadounidenses con 56/100"; without a named currency
    "... dólares con 56 centavos"."""
    whole, rest = divmod(minor, currency.unit)
    if not currency.code:
        cents = f"{rest} {'centavo' if rest == 1 else 'centavos'}"
        return f"{_counted(whole, 'dólar' if whole == 1 else 'dólares')} con {cents}"
    fraction = f" con {rest:0{currency.digits}}/{currency.unit}" if currency.digits else ""
    return f"{_counted(whole, unit_name(currency, whole, LOCALE), feminine=_is_feminine(currency))}{fraction}"


def number(value: int, *, feminine: bool = False) -> str:
    """A whole number in the form before a noun: "veintiún", "doscientas treinta y una"."""
    return " ".join(_words(value, feminine=feminine)) or SMALL[0]


def _counted(whole: int, name: str, *, feminine: bool = False) -> str:
    """ "un dólar", "dos millones de dólares"."""
    joint = " de " if whole and whole % MILLION == 0 else " "
    return f"{number(whole, feminine=feminine)}{joint}{name}"


def _is_feminine(currency: Currency) -> bool:
    return unit_name(currency, 1, LOCALE).partition(" ")[0] in FEMININE


def _words(value: int, *, feminine: bool) -> Iterator[str]:
    for scale, one, many in LARGE:
        count, value = divmod(value, scale)
        if count:
            yield from _thousands(count, feminine=False)
            yield one if count == 1 else many
    yield from _thousands(value, feminine=feminine)


def _thousands(value: int, *, feminine: bool) -> Iterator[str]:
    """Numbers below a million. A thousand is "mil", never "un mil"."""
    count, value = divmod(value, 1000)
    if count > 1:
        yield from _hundreds(count, feminine=feminine)
    if count:
        yield "mil"
    yield from _hundreds(value, feminine=feminine)


def _hundreds(value: int, *, feminine: bool) -> Iterator[str]:
    """Numbers below a thousand. Nothing for 0."""
    if value == 100:
        yield "cien"
        return
    count, value = divmod(value, 100)
    if count:
        word = HUNDREDS[count]
        yield f"{word[:-2]}as" if feminine and count > 1 else word
    yield from _tens(value, feminine=feminine)


def _tens(value: int, *, feminine: bool) -> Iterator[str]:
    if value >= len(SMALL):
        tens, value = divmod(value, 10)
        yield TENS[tens]
        if value:
            yield "y"
    if value:
        yield _before_noun(SMALL[value], feminine=feminine)


def _before_noun(word: str, *, feminine: bool) -> str:
    """ "uno" becomes "un" or "una", "veintiuno" "veintiún" or "veintiuna"."""
    if not word.endswith("uno"):
        return word
    if feminine:
        return f"{word[:-1]}a"
    return "un" if word == "uno" else "veintiún"
