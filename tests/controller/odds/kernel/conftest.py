"""The loop as it is where numba is not installed."""

from importlib.util import find_spec, module_from_spec
from types import ModuleType

import pytest

from controller.odds.kernel import compiled, kernel, loop


def plain_loop(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """A second copy of the module, none of whose functions is compiled."""
    monkeypatch.setattr(compiled, "FAST", False)
    spec = find_spec(loop.__name__)
    assert spec
    assert spec.loader
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def plain(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """New kernels play with lists and functions that are not compiled."""
    module = plain_loop(monkeypatch)
    for name in ("play", "play_rounds"):
        monkeypatch.setattr(kernel, name, getattr(module, name))
    return module
