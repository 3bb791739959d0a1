"""What the browser of a kiosk may do, in the words of Chromium's policies: show the table's pages."""

import json
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import urlsplit

FOLDER, FILE = "policies", "tableside.json"
"""Below the service's own folder; its unit lays it where Debian's Chromium looks."""
NEVER, ALL = 2, 3
"""Chromium's numbers: no developer tools; every download is refused."""


def policy(page: str) -> Mapping[str, object]:
    """For the URL of the page that is shown: whoever has a keyboard comes to no other site, no file and no
    page of the browser's own."""
    parts = urlsplit(page)
    return {
        "URLBlocklist": ["*", "chrome://*"],
        "URLAllowlist": [f"{parts.scheme}://{parts.netloc}"],
        "DeveloperToolsAvailability": NEVER,
        "DownloadRestrictions": ALL,
        "AllowFileSelectionDialogs": False,
        "PrintingEnabled": False,
        "PasswordManagerEnabled": False,
        "AutofillAddressEnabled": False,
        "AutofillCreditCardEnabled": False,
        "TranslateEnabled": False,
    }


def lay(page: str, place: Path) -> None:
    """Writes it below the service's folder; raises OSError."""
    folder = place / FOLDER
    folder.mkdir(exist_ok=True)
    (folder / FILE).write_text(json.dumps(policy(page)), "utf-8")
