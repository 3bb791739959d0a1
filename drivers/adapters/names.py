"""The makes of commercial shoes that there is an adapter for, as configurations name them."""

from typing import Final

NAMES: Final = frozenset({"angel-eye-2ex", "bee-tek"})
WITHOUT_CUT: Final = frozenset({"bee-tek"})
"""Those that do not tell of the cut card."""
