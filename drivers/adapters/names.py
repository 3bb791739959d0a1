"""The makes of commercial shoes that there is an adapter for, as configurations name them."""

from collections.abc import Mapping
from typing import Final

RATES: Final[Mapping[str, int]] = {"angel-eye-2ex": 4800, "bee-tek": 9600}
"""What each usually speaks at, in baud."""
NAMES: Final = frozenset(RATES)
WITHOUT_CUT: Final = frozenset({"bee-tek"})
"""Those that do not tell of the cut card."""
