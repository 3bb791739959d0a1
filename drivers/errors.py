"""What can go wrong between the table and a device.

DriverError
├── Absent         no device is there: no port, unplugged, silent
│   └── Overslept  this computer did not run for a while
├── Refused        a device answers, but it is not the configured one, or must not be trusted
│   └── Unproved   the same before a proof: anyone on the line can be the cause
├── DeviceFault    the right device breaks the protocol, or the line is too bad
└── Misuse         our own code breaks the contract of a call
"""


class DriverError(Exception):
    """The base of all errors of the drivers. The text is a sentence for a technician."""


class Absent(DriverError):
    """No device is there: the port is missing, unplugged or in use, or nothing answers on it."""


class Overslept(Absent):
    """The session ended because this computer did not run for a while. The device is not to blame."""


class Refused(DriverError):
    """One side refused the other. `reason` is a word of `codes.RefuseReason` in lower case."""

    def __init__(self, reason: str, text: str) -> None:
        super().__init__(text)
        self.reason = reason


class Unproved(Refused):
    """One side refused the other before the device proved its key. It is worth words, but no alarm."""


class DeviceFault(DriverError):
    """The device broke the protocol, or the line failed. `reason` says why the session ended, as in Down."""

    def __init__(self, reason: str, text: str) -> None:
        super().__init__(text)
        self.reason = reason


class Misuse(DriverError):
    """A bug of ours: a call that its contract forbids."""
