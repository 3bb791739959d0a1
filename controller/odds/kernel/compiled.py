"""numba, where the extra `fast` is installed."""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar, cast

try:
    from numba import njit
    from numpy import array, int32, int64

    FAST = True
except ImportError:  # the plain form of the same functions plays on
    FAST = False
"""Whether functions are compiled."""

SLOW = (
    "numba is not installed, so this takes some fifty times longer; to install it: "
    "pip install 'tableside[fast]'"
)

Compiled = TypeVar("Compiled", bound=Callable[..., Any])


def compiled(function: Compiled) -> Compiled:
    """The function as machine code, made at its first call; as it is where numba is missing."""
    if not FAST:
        return function
    try:
        return cast("Compiled", njit(cache=True)(function))
    except RuntimeError:  # no folder of the user's can keep the machine code
        return cast("Compiled", njit(function))


def cells(numbers: Sequence[int]) -> Any:
    """Cells in the form that compiled functions take; a list where numba is missing."""
    return array(numbers, dtype=int64) if FAST else list(numbers)


def constants(numbers: Sequence[int]) -> Any:
    """The same in half the space, so that more of them fit in a cache."""
    return array(numbers, dtype=int32) if FAST else list(numbers)
