"""Who decides, for several commands."""

from dataclasses import dataclass

from controller.access.people import Role
from controller.commands.exit_codes import usage
from controller.table.errors import NotAllowed
from controller.table.people.supervisor_commands import read_text
from controller.text.characters import same_name


@dataclass(frozen=True, slots=True)
class Persons:
    """Who decides, and why. `who` is empty if root overrides: then `why` is the reason for that. `second` is
    empty if no other person takes part. `role`: as which they sign in."""

    who: str
    why: str
    second: str = ""
    role: Role = "supervisor"


def persons(who: str, why: str, second: str = "", role: Role = "supervisor") -> Persons:
    """The persons with these names. Raises typer.Exit after printing what is wrong."""
    try:
        fields: dict[str, object] = {"who": who, "why": why, "second": second or None}
        found = Persons(
            read_text(fields, "who"),
            read_text(fields, "why"),
            read_text(fields, "second", needed=False),
            role,
        )
    except NotAllowed as error:
        raise usage(str(error)) from None
    if same_name(found.who, found.second):
        raise usage(f"second = {second!r}: not allowed; allowed: another person than {found.who}")
    return found


def persons_or_override(
    who: str | None, why: str | None, second: str | None, override: str | None
) -> Persons:
    """As `persons`, if root may also give a reason instead of a name."""
    if override is not None:
        if given := [name for name, value in (("--who", who), ("--why", why), ("--second", second)) if value]:
            raise usage(f"{', '.join(given)}: not allowed with --override; allowed: its reason alone")
        return _overriding(override)
    if missing := [name for name, value in (("--who", who), ("--why", why)) if value is None]:
        needed = "--who NAME and --why TEXT, or --override REASON"
        raise usage(f"{' and '.join(missing)}: missing; needed: {needed}")
    return persons(who or "", why or "", second or "")


def _overriding(reason: str) -> Persons:
    try:
        return Persons("", read_text({"override": reason}, "override"))
    except NotAllowed as error:
        raise usage(str(error)) from None
