"""`python -m tests.controller.floor.drills.telling_daemon WORDS`: `python -m controller WORDS`, with a daemon
that states every row of its journal as one that may leave the house."""

import runpy

import pytest

from controller.daemon.core_socket import DisclosedHead
from controller.socket.results import Head


def state_everything(self: DisclosedHead) -> None:
    if head := self._journal.head:
        self.row = Head(head.row, head.hash.hex())


if __name__ == "__main__":
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(DisclosedHead, "update", state_everything)
        runpy.run_module("controller", run_name="__main__", alter_sys=True)
