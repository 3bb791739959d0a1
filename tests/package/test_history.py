"""Where `make deb-test` gets the version with one service from."""

import subprocess
from pathlib import Path

import pytest

from tests.package.machine import MachineError
from tests.package.packages import ONE_UNIT, take_from_history


def test_a_checkout_without_the_old_version_is_named_with_what_to_do(tmp_path: Path) -> None:
    """As a clone is that has only its last commits."""
    shallow = tmp_path / "shallow"
    subprocess.run(["git", "init", "--quiet", shallow], check=True)
    with pytest.raises(MachineError, match=rf"{shallow} has no commit {ONE_UNIT}.*git fetch --unshallow"):
        take_from_history(tmp_path / "history", shallow)
    assert not (tmp_path / "history").exists()
