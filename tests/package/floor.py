"""`floor.py FOLDER ROUNDS`, inside the machine with the package's own Python: dealer and players play at the
simulated devices whose control sockets are in FOLDER."""

import asyncio
import sys
from pathlib import Path

from controller.demo.crew.crew import Crew
from controller.demo.crew.playbook import playbook
from controller.games import open_game

KINDS = ("shoe", "shuffler", "sensors", "display", "console")


def main(folder: str, rounds: str) -> None:
    """Ends when this many rounds are over."""
    controls = {kind: Path(folder, f"{kind}.control") for kind in KINDS}
    asyncio.run(Crew(controls, playbook(open_game("easy-jack", {})), seed=1).run(int(rounds)))


if __name__ == "__main__":
    main(*sys.argv[1:])
