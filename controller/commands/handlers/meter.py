"""What `tableside table meter` does."""

from pathlib import Path

from controller.commands.acting import ActOptions, carry_out, show_preview
from controller.commands.arguments import cents_argument
from controller.commands.persons import persons


def handle(
    spot: str,
    *,
    amount: str,
    config: Path,
    who: str,
    second: str,
    why: str,
    token: str | None,
    preview: bool,
    as_json: bool,
) -> None:
    both = persons(who, why, second)
    body = {"spot": spot, "cents": cents_argument("AMOUNT", amount), "why": both.why, "token": token or ""}
    options = ActOptions(only_preview=preview, as_json=as_json, by_two=True)
    carry_out(config, {"meter": body}, both, show_preview, options)
