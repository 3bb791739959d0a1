"""Where the files of the package go."""

import shutil
from pathlib import Path

from typer._completion_shared import get_completion_script

from systemd.deb.sources import ROOT

UNITS = "usr/lib/systemd/system"
DOC = Path("usr/share/doc/tableside")
EXAMPLES = DOC / "examples"
FILES = {
    "systemd/tableside.service": f"{UNITS}/tableside.service",
    "systemd/tableside-web.service": f"{UNITS}/tableside-web.service",
    "systemd/tableside-uplink.service": f"{UNITS}/tableside-uplink.service",
    "systemd/tableside-kiosk.service": f"{UNITS}/tableside-kiosk.service",
    "systemd/tableside-progressive.service": f"{UNITS}/tableside-progressive.service",
    "systemd/tableside-floor.service": f"{UNITS}/tableside-floor.service",
    "systemd/tableside-nats.service": f"{UNITS}/tableside-nats.service",
    "systemd/restart-pause": "usr/lib/tableside/restart-pause",
    "systemd/between_rounds.py": "usr/lib/tableside/between_rounds.py",
    "systemd/60-tableside.rules": "usr/lib/udev/rules.d/60-tableside.rules",
    "systemd/tableside.sysusers": "usr/lib/sysusers.d/tableside.conf",
    "systemd/tableside.tmpfiles": "usr/lib/tmpfiles.d/tableside.conf",
    "systemd/journald-tableside.conf": "usr/lib/systemd/journald.conf.d/tableside.conf",
    "examples/installed.toml": f"{EXAMPLES}/table.toml",
    "examples/installed-floor.toml": f"{EXAMPLES}/floor.toml",
    "systemd/deb/copyright": f"{DOC}/copyright",
}
FOLDERS = {"docs": (DOC, "*.md"), "systemd/prometheus": (EXAMPLES / "prometheus", "*")}
"""By folder of the checkout: the target folder and a pattern of files."""
LINKS = {"usr/bin/tableside": "/opt/tableside/bin/tableside"}
COMPLETIONS = {
    "bash": "usr/share/bash-completion/completions/tableside",
    "zsh": "usr/share/zsh/vendor-completions/_tableside",
    "fish": "usr/share/fish/vendor_completions.d/tableside.fish",
}
VARIABLE = "_TABLESIDE_COMPLETE"


def copy_files(root: Path) -> None:
    """Copies everything but the virtual environment below `root`."""
    for source, target in FILES.items():
        _copy(ROOT / source, root / target)
    for folder, (target_folder, wanted) in FOLDERS.items():
        for path in sorted((ROOT / folder).rglob(wanted)):
            if path.is_file():
                _copy(path, root / target_folder / path.relative_to(ROOT / folder))
    for link, target in LINKS.items():
        _with_parent(root / link).symlink_to(target)
    for shell, target in COMPLETIONS.items():
        _with_parent(root / target).write_text(completion(shell), "utf-8")


def completion(shell: str) -> str:
    """The script with which a shell completes commands and options."""
    return get_completion_script(prog_name="tableside", complete_var=VARIABLE, shell=shell) + "\n"


def _copy(source: Path, target: Path) -> None:
    shutil.copyfile(source, _with_parent(target))


def _with_parent(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    return path
