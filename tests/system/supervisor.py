"""A person who is called when a card left the shoe unseen, looks at it, and names it."""

import re
from typing import Final

from controller.demo.audit import read_shoe_log
from controller.demo.staff_desk import StaffDesk
from controller.demo.table import DemoTable
from tests.system.gallery import Gallery

UNSEEN: Final = re.compile(r"^Suspended: Card (\d+) was on its way when the shoe lost its power")


async def supervise(stage: DemoTable, gallery: Gallery) -> None:
    """Names each such card, for ever."""
    async with StaffDesk(stage) as desk:
        while True:
            await gallery.prompted.wait()
            gallery.prompted.clear()
            if found := UNSEEN.match(gallery.prompt):
                card = dict(read_shoe_log(stage.shoe_log))[int(found[1])]
                await desk.act("Sue", {"decision": {"choice": "card", "why": "saw it", "card": card}})
