"""`python -m tests.controller.floor.drills.unfenced WORDS`: `python -m controller WORDS`, with an instance
of a linked progressive that publishes whatever the log ends with."""

import runpy

import pytest

from controller.floor.progressive import log_stream

if __name__ == "__main__":
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(log_stream, "EXPECTED", "Nothing-Expected")
        runpy.run_module("controller", run_name="__main__", alter_sys=True)
