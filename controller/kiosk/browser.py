"""How the browser of a kiosk is started: one page, nothing kept, nothing asked, no way out."""

from pathlib import Path

BROWSER = "chromium"
FEATURES_OFF = (
    "Translate",
    "TouchpadOverscrollHistoryNavigation",
    "OverscrollHistoryNavigation",
    "MediaRouter",
    "OptimizationHints",
    "AutofillServerCommunication",
)
FLAGS = (
    "--kiosk",
    "--ozone-platform=wayland",
    "--incognito",
    "--no-first-run",
    "--no-default-browser-check",
    "--noerrdialogs",
    "--disable-session-crashed-bubble",
    "--disable-component-update",
    "--disable-background-networking",
    "--disable-sync",
    "--disable-default-apps",
    "--disable-extensions",
    "--disable-breakpad",
    "--disable-pinch",
    "--overscroll-history-navigation=0",
    "--password-store=basic",
    "--check-for-update-interval=31536000",
    f"--disable-features={','.join(FEATURES_OFF)}",
)


def command_line(page: str, profile: Path, spki: str, browser: str = BROWSER) -> tuple[str, ...]:
    """The words that start it on `page`. `spki`: the hash of the one public key that is trusted without any
    authority; empty: none."""
    trusted = (f"--ignore-certificate-errors-spki-list={spki}",) if spki else ()
    return (browser, *FLAGS, f"--user-data-dir={profile}", *trusted, page)
