"""The console on the screen of a table's computer, seen and touched.

The computer has a display and a touch screen, which the kernel's own drivers serve. The dealer of the crew
presses the keys on the screen and has no other keys. The pictures go to build/guest/kiosk, for people to look
at.
"""

import asyncio
import json
import shlex
import shutil
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any, Final

from controller.demo.crew.crew import Crew
from controller.demo.crew.playbook import playbook
from controller.demo.crew.played_round import PlayedRound
from controller.journal.history import History
from drivers.sim.kinds import KINDS
from tests.browser.taps import screen
from tests.guest.image import FOLDER, KIOSK, image
from tests.guest.machine import Guest, GuestError, Hardware
from tests.guest.play import wrong
from tests.guest.table import CONFIG, CONFIGURE, INSTALL, Scene, devices, prepare
from tests.guest.usb.port import RedirectedPort
from tests.guest.usb.touch_screen import TouchScreen
from tests.package.page import commands

TOUCH: Final = "touch"
WIDTH, HEIGHT = 1280, 800
BOARD: Final = Hardware(
    (*KINDS, TOUCH), megabytes=2560, more=("-device", f"virtio-vga,xres={WIDTH},yres={HEIGHT}")
)
PICTURES: Final = FOLDER / "kiosk"
QUESTION: Final = "ask_page.py"
DEALER, PIN = "Dee Ray", "4711"
FLAGS: Final = ("--remote-debugging-port=9222", "--ipc-connection-timeout=600", "--disable-gpu")
"""Chromium answers questions, waits for its own processes as long as they need, and draws by itself."""
PREPARE: Final = f"""
tableside table certificate --make --config {CONFIG}
printf '{PIN}\\n{PIN}\\n' |
    runuser -u tableside -- tableside people add '{DEALER}' --role dealer --config {CONFIG}
echo 'export CHROMIUM_FLAGS="$CHROMIUM_FLAGS {" ".join(FLAGS)}"' > /etc/chromium.d/guest
cd /etc/systemd/system
mkdir -p tableside-web.service.d tableside-kiosk.service.d
cp /mnt/in/pages.conf tableside-web.service.d
cp /mnt/in/screen.conf tableside-kiosk.service.d
systemctl daemon-reload
"""
"""Before the services start."""
FILES: Final = {
    "policy.json": json.dumps({"DeveloperToolsAvailabilityAllowlist": ["https://127.0.0.1:8081"]}),
    "pages.conf": "[Service]\nTimeoutStartSec=10min\n",
    "screen.conf": "[Service]\nEnvironment=WLR_RENDERER=pixman\n"
    "ExecStartPre=+/bin/install -m 644 /mnt/in/policy.json /run/tableside-kiosk/policies/guest.json\n",
}
"""What the guest gets besides: the kiosk's own policy forbids to ask Chromium about the page, the emulated
computer is slow, and it has no graphics processor to draw with."""
PATIENCE: Final = 600.0
"""Seconds in which the page shows something; Chromium starts in a minute or two."""
RETRY: Final = 60.0
"""Seconds after which a person whose touch did nothing touches again."""
TIMES: Final = 3
LONGEST: Final = 1800.0
"""Seconds that a round may take."""
TOUCHED: Final = 0.03
"""Seconds that a finger stays. The guest is slow, and sees more of a longer touch than a tap."""
PLACE: Final = """
(() => {
  const found = document.querySelector(%s);
  if (!found || found.disabled) return "";
  const {x, y, width, height} = found.getBoundingClientRect();
  const across = x + width / 2, down = y + height / 2;
  if (!found.contains(document.elementFromPoint(across, down))) return "";
  return [across / innerWidth, down / innerHeight];
})()
"""
"""Where to touch an element: parts of the screen's width and height; empty if there is nothing to touch."""
LEAST: Final = 0.02
"""The part of a picture that has the color of the page's background, at least."""
COLORS: Final = 64
"""The picture of a page has at least so many colors; a display without a page has fewer."""
COLOR: Final = "getComputedStyle(document.body).backgroundColor.match(/[0-9]+/g).map(Number)"


class Kiosk:
    """What a person sees on the screen of a guest, and where the finger goes."""

    def __init__(self, guest: Guest, touch_screen: TouchScreen) -> None:
        self._guest = guest
        self._touch_screen = touch_screen
        self.touches = 0

    async def ask(self, expression: str) -> Any:
        """The value of a JavaScript expression in the page. Raises GuestError until Chromium shows a page."""
        command = f"python3 /mnt/in/{QUESTION} {shlex.quote(expression)}"
        return json.loads(await asyncio.to_thread(self._guest.run, command))

    async def until(self, expression: str, limit: float = PATIENCE) -> Any:
        """Asks again until the value counts as true, and returns it. Raises TimeoutError."""
        end = time.monotonic() + limit
        while time.monotonic() < end:  # nothing cancels a question: the next one would read its answer
            with suppress(GuestError):  # no page yet, or one that is leaving
                if found := await self.ask(expression):
                    return found
            await asyncio.sleep(0.5)
        shown = await self.ask("location.href + document.body.innerText")
        raise TimeoutError(f"not after {limit:g} s: {expression}\n{shown}")

    async def touch(self, selector: str) -> None:
        """Touches an element once it is there and nothing covers it."""
        x, y = await self.until(PLACE % json.dumps(selector))
        self._touch_screen.touch(x, y)
        await asyncio.sleep(TOUCHED)
        self._touch_screen.release(x, y)
        self.touches += 1

    async def touch_until(self, selector: str, expression: str) -> None:
        """Touches an element, and again as long as nothing happens, as people do."""
        for _time in range(TIMES):
            await self.touch(selector)
            with suppress(TimeoutError):
                await self.until(expression, RETRY)
                return
        raise TimeoutError(f"{TIMES} touches of {selector} do nothing: {expression}")

    async def tap(self, action: str, seat: int, cents: int) -> None:
        """Touches a key of the console. Its amount is the usual one: with fingers alone no other is tried."""
        assert not cents, (action, seat, cents)
        await self.touch(f".keys button[data-action='{action}'][data-seat='{seat}']")

    async def sign_in(self) -> None:
        await self.until("location.pathname == '/sign-in'")
        await self.touch_until("label.name", "document.querySelector('[name=name]').checked")
        for count, digit in enumerate(PIN, start=1):
            entered = f"document.querySelector('#pin').value.length == {count}"
            await self.touch_until(f"[data-digit='{digit}']", entered)
        await self.touch("#dealer [type='submit']")
        await self.until("location.pathname == '/console'")

    def picture(self, name: str) -> Counter[bytes]:
        """Keeps what the display shows, and counts its colors."""
        self._guest.monitor.run("screendump", filename=str(PICTURES / f"{name}.png"), format="png")
        plain = PICTURES / f"{name}.ppm"
        self._guest.monitor.run("screendump", filename=str(plain))
        _kind, _size, _most, data = plain.read_bytes().split(b"\n", 3)
        plain.unlink()
        return Counter(data[start : start + 3] for start in range(0, len(data), 3))


def kiosk(deb: Path) -> Iterator[str]:
    """A dealer signs in on the screen and deals a round there, with touches alone."""
    PICTURES.mkdir(parents=True, exist_ok=True)
    scene = Scene()
    with tempfile.TemporaryDirectory(prefix="guest-") as place:
        folder = Path(place)
        with Guest(folder, image(KIOSK), BOARD) as guest:
            _install(guest, folder, scene, deb)
            with devices(folder, scene):
                try:
                    yield from asyncio.run(_dealt(guest, folder, scene))
                except (TimeoutError, GuestError) as error:
                    log = guest.run("journalctl --boot --output cat --no-pager --lines 60")
                    yield f"the console on the screen: {error}\n{log}"


def _install(guest: Guest, folder: Path, scene: Scene, deb: Path) -> None:
    """The package, the configuration, one dealer, and then the services, as docs/install.md has it."""
    prepare(folder, guest.incoming, scene, deb)
    shutil.copy(Path(__file__).with_name(QUESTION), guest.incoming)
    for name, text in FILES.items():
        (guest.incoming / name).write_text(text, "utf-8")
    guest.run(INSTALL)
    guest.run(CONFIGURE)
    guest.run(PREPARE)
    for command in commands():
        if command.startswith(("systemctl start tableside ", "systemctl enable --now tableside-kiosk")):
            guest.run(command)


async def _dealt(guest: Guest, folder: Path, scene: Scene) -> list[str]:
    """A sentence for each fault of the screen, and of the round that was dealt on it."""
    async with _touch_screen(guest) as touch_screen:
        person, found = Kiosk(guest, touch_screen), list[str]()
        await person.until("document.readyState == 'complete' && location.pathname == '/sign-in'")
        found += await _not_shown(person, "sign-in", DEALER)
        await person.sign_in()
        await person.until("document.querySelector('[sse-swap=console-due]').innerText.trim()")
        found += await _not_shown(person, "console", "Table 1")
        played = await _play(person, folder, scene)
        await person.until("document.readyState == 'complete'")
        found += await _not_shown(person, "after-a-round", "Table 1")
    found += await asyncio.to_thread(lambda: [*wrong(guest, folder, scene.settings, played)])
    rows = Counter(entry.content.kind for entry in History(guest.outgoing / "table.journal").rows())
    print(
        f"the kiosk: {len(played)} rounds, {person.touches} touches, {rows['console key']} keys", flush=True
    )
    if not rows["console key"]:
        found.append("the table got no key from the page")
    return found


async def _not_shown(person: Kiosk, name: str, words: str) -> list[str]:
    """Faults of the picture that the display has now: the page must have these words, and the display
    much of the page's background, among other colors."""
    text, color = await person.ask("document.body.innerText"), bytes(await person.ask(COLOR))
    colors = await asyncio.to_thread(person.picture, name)
    return [
        *([f"the page {name} does not show {words!r}: {text}"] if words not in text else []),
        *(
            [f"the picture {name} is not of a page on {color.hex()}: {colors.most_common(5)}"]
            if colors[color] < LEAST * WIDTH * HEIGHT or len(colors) < COLORS
            else []
        ),
    ]


async def _play(person: Kiosk, folder: Path, scene: Scene) -> list[PlayedRound]:
    """A round with the keys of the screen alone."""
    settings, path = scene.settings, folder / "screen.control"
    controls = {kind: folder / f"{kind}.control" for kind in KINDS}
    crew = Crew(controls | {"console": path}, playbook(settings.rules), settings.seed, patience=RETRY)
    async with screen(path, controls["console"], person.tap), asyncio.timeout(LONGEST):
        await crew.run(1)
    return crew.machine.rounds


@asynccontextmanager
async def _touch_screen(guest: Guest) -> AsyncIterator[TouchScreen]:
    """A touch screen that is plugged in until the block ends."""
    touch_screen = TouchScreen()
    port = RedirectedPort(guest.usb(TOUCH), touch_screen)
    port.plug()
    loop = asyncio.get_running_loop()
    loop.add_reader(port.descriptor, port.read)
    try:
        yield touch_screen
    finally:
        loop.remove_reader(port.descriptor)
        port.unplug()
