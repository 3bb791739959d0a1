"""The two firmware slots of a device: what they contain, which one starts, and what may happen when.

The device's side of an update, without its link (section 12 of firmware-protocol/README.md).
"""

import hashlib
from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal, Protocol, get_args

from drivers.errors import Misuse
from drivers.link.facts import SIMULATOR_HARDWARE
from drivers.messages import MakerKey
from drivers.protocol.codes import DeviceClass
from drivers.update.image import ImageManifest
from drivers.update.maker_key import signed_bytes
from drivers.update.signing import PUBLIC_KEY, is_signed

SlotState = Literal["empty", "filling", "whole", "applied", "trial"]
SlotStep = Literal["begin", "filled", "spoiled", "apply", "start", "bad start", "confirm", "maker"]
NEXT: Mapping[SlotState, Mapping[SlotStep, SlotState]] = MappingProxyType(
    {
        "empty": {"begin": "filling", "start": "empty"},
        "filling": {
            "begin": "filling",
            "start": "filling",
            "filled": "whole",
            "spoiled": "empty",
            "maker": "empty",
        },
        "whole": {"begin": "filling", "start": "whole", "apply": "applied", "maker": "empty"},
        "applied": {"start": "trial", "bad start": "empty"},
        "trial": {"start": "whole", "confirm": "empty"},
    }
)
"""The states of the spare slot: what may happen in each, and the state after it. "start": the device
boots. Only the start in "applied" starts this slot, so any other start in "trial" reverts."""
SLOT_STATES: tuple[SlotState, ...] = get_args(SlotState)
OTHER: Mapping[str, str] = MappingProxyType({"A": "B", "B": "A"})


FlashValue = int | str | bytes


class Flash(Protocol):
    """What survives the loss of power: two slots of bytes, "A" and "B", and a few values."""

    def get(self, name: str) -> FlashValue | None:
        """Returns a value. None if it was never stored."""

    def put(self, values: Mapping[str, FlashValue]) -> None:
        """Stores these values: all or none."""

    def write(self, slot: str, offset: int, data: bytes) -> None:
        """Writes bytes to a slot from `offset` on and drops what was beyond. A loss of power may tear the
        write."""

    def read(self, slot: str) -> bytes:
        """Returns all bytes of a slot."""


class Slots:
    """Both slots of one device.

    `maker` is its maker's public key from the factory, `root` the one that signs later keys; both have 32
    bytes. Without `root` the maker's key never changes. `factory` is the version and the image of a blank
    flash.
    """

    def __init__(
        self,
        flash: Flash,
        device_class: DeviceClass,
        maker: bytes,
        factory: tuple[int, bytes],
        *,
        hardware: str = SIMULATOR_HARDWARE,
        root: bytes = b"",
    ) -> None:
        self._flash, self._class, self._hardware = flash, device_class, hardware
        self._factory_maker, self._root = maker, root
        if flash.get("good") is None:
            version, image = factory
            flash.write("A", 0, image)
            flash.put(
                {
                    "good": "A",
                    "state": "empty",
                    "counter": version,
                    "version A": version,
                    "size A": len(image),
                    "sha256 A": hashlib.sha256(image).digest(),
                }
            )

    @property
    def state(self) -> SlotState:
        """The state of the spare slot."""
        found = self._flash.get("state")
        return next(state for state in SLOT_STATES if state == found)

    @property
    def good(self) -> str:
        """The slot that starts by default."""
        return str(self._flash.get("good"))

    @property
    def running(self) -> str:
        """The slot whose firmware runs."""
        return OTHER[self.good] if self.state == "trial" else self.good

    @property
    def version(self) -> int:
        """The version that runs."""
        return self._number(f"version {self.running}")

    @property
    def counter(self) -> int:
        """The lowest version that the device accepts."""
        return self._number("counter")

    @property
    def generation(self) -> int:
        """The generation of the maker's key; 0: the one from the factory."""
        return self._number("generation")

    @property
    def hardware(self) -> str:
        """The name of its hardware."""
        return self._hardware

    @property
    def _maker(self) -> bytes:
        found = self._flash.get("maker")
        return found if isinstance(found, bytes) else self._factory_maker

    @property
    def announced(self) -> ImageManifest | None:
        """The manifest of the spare slot's image, whole or in part."""
        return None if self.state == "empty" else self._manifest(OTHER[self.good])

    @property
    def filled(self) -> int:
        """How many bytes of the image are written."""
        return self._number("filled")

    def image(self, slot: str) -> bytes:
        return self._flash.read(slot)

    def authentic(self, slot: str) -> bool:
        """Whether a slot has an image that the maker signed for this class and hardware."""
        manifest = self._manifest(slot)
        return manifest is not None and manifest.signed_by(self._maker) and manifest.fits(self.image(slot))

    def trusts(self, manifest: ImageManifest) -> bool:
        """Whether the device's maker signed it for its class and hardware."""
        names = manifest.device_class, manifest.hardware
        return names == (self._class, self._hardware) and manifest.signed_by(self._maker)

    def trusts_key(self, record: MakerKey) -> bool:
        """Whether the root key signed this maker's key for its class and hardware."""
        content = signed_bytes(self._class, self._hardware, record.generation, record.key)
        return len(record.key) == PUBLIC_KEY and is_signed(self._root, record.signature, content)

    def replace_maker(self, record: MakerKey) -> None:
        """Trusts another maker's key, which `trusts_key` accepted, and no image under the one before. One
        write."""
        taken: dict[str, FlashValue] = {"maker": record.key, "generation": record.generation}
        if self.state == "empty":
            self._flash.put(taken)
        else:
            self._step("maker", taken)

    def start(self) -> bool:
        """The boot loader's part, before anything else at a boot. Afterwards `running` may run; False: its
        image is damaged, and nothing may.

        The spare slot is checked against its signature, size and hash, the good one against the hash that was
        noted at its confirm or in the factory: the maker's key may have been replaced since.
        """
        if self.state == "applied" and not self.authentic(OTHER[self.good]):
            self._step("bad start")
        else:
            self._step("start")
        return self._whole(self.running)

    def begin(self, manifest: ImageManifest) -> None:
        """Announces an image, which `trusts` accepted, for the spare slot. The same image goes on where it
        stopped."""
        if self.announced == manifest and self.state in {"filling", "whole"}:
            return
        spare = OTHER[self.good]
        begun: dict[str, FlashValue] = {
            f"version {spare}": manifest.version,
            f"size {spare}": manifest.size,
            f"sha256 {spare}": manifest.sha256,
            f"signature {spare}": manifest.signature,
            "filled": 0,
        }
        self._step("begin", begun)

    def write(self, data: bytes) -> None:
        """Writes the next bytes of the image: a whole block, or the last one."""
        self._flash.write(OTHER[self.good], self.filled, data)
        self._flash.put({"filled": self.filled + len(data)})

    def check(self) -> bool:
        """Checks the image once all bytes are written. Returns whether it is the announced one."""
        good = self.authentic(OTHER[self.good])
        self._step("filled" if good else "spoiled")
        return good

    def apply(self) -> None:
        """Makes the next start the trial."""
        self._step("apply")

    def confirm(self) -> None:
        """Makes the slot that runs the good one."""
        spare = OTHER[self.good]
        confirmed: dict[str, FlashValue] = {
            "good": spare,
            "counter": max(self.counter, self._number(f"version {spare}")),
        }
        self._step("confirm", confirmed)

    def _step(self, step: SlotStep, also: Mapping[str, FlashValue] = MappingProxyType({})) -> None:
        was = self.state
        if step not in NEXT[was]:
            raise Misuse(f"{step!r} of a slot that is {was}: allowed are {', '.join(NEXT[was])}")
        if NEXT[was][step] != was or also:
            self._flash.put({"state": NEXT[was][step], **also})

    def _whole(self, slot: str) -> bool:
        """Whether a slot has the image that was noted of it."""
        noted = self._number(f"size {slot}"), self._flash.get(f"sha256 {slot}")
        image = self.image(slot)
        return (len(image), hashlib.sha256(image).digest()) == noted

    def _manifest(self, slot: str) -> ImageManifest | None:
        get = self._flash.get
        hashed, signature = get(f"sha256 {slot}"), get(f"signature {slot}")
        if not isinstance(hashed, bytes) or not isinstance(signature, bytes):
            return None  # the factory's
        version, size = self._number(f"version {slot}"), self._number(f"size {slot}")
        return ImageManifest(self._class, self._hardware, version, size, hashed, signature)

    def _number(self, name: str) -> int:
        found = self._flash.get(name)
        return found if isinstance(found, int) else 0
