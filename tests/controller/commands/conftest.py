"""Fixtures for the tests of commands."""

import pytest
import structlog


@pytest.fixture(autouse=True)
def unconfigured_log() -> None:
    """A command runs in a process of its own, whose log nothing else has configured."""
    structlog.reset_defaults()
