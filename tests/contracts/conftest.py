"""What the contracts of devices have in common."""

from pathlib import Path

import pytest

from tests.contracts.bench import LINES, Line


@pytest.fixture(params=LINES)
def line(request: pytest.FixtureRequest, tmp_path: Path) -> Line:
    return LINES[request.param](tmp_path)
