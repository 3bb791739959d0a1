"""Where the files of the packages go."""

import shutil
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from typer._completion_shared import get_completion_script

from systemd.deb.sources import ROOT

UNITS = Path("usr/lib/systemd/system")
DOC = Path("usr/share/doc")
EXAMPLES = DOC / "tableside" / "examples"
COMPLETIONS = {
    "bash": "usr/share/bash-completion/completions/tableside",
    "zsh": "usr/share/zsh/vendor-completions/_tableside",
    "fish": "usr/share/fish/vendor_completions.d/tableside.fish",
}
VARIABLE = "_TABLESIDE_COMPLETE"


@dataclass(frozen=True, slots=True)
class Layout:
    """The files of a package besides its programs. `files`: by file of the checkout, its target. `folders`:
    by folder of the checkout, the target folder and a pattern of files. `links`: by link, where it leads.
    `completions`: by shell, the script that completes commands."""

    files: Mapping[str, Path]
    folders: Mapping[str, tuple[Path, str]] = field(default_factory=dict)
    links: Mapping[str, str] = field(default_factory=dict)
    completions: Mapping[str, str] = field(default_factory=dict)

    def copy(self, root: Path) -> None:
        """Copies everything below `root`."""
        for source, target in self.files.items():
            _copy(ROOT / source, root / target)
        for folder, (target_folder, wanted) in self.folders.items():
            for path in sorted((ROOT / folder).rglob(wanted)):
                if path.is_file():
                    _copy(path, root / target_folder / path.relative_to(ROOT / folder))
        for link, leads_to in self.links.items():
            _with_parent(root / link).symlink_to(leads_to)
        for shell, script in self.completions.items():
            _with_parent(root / script).write_text(completion(shell), "utf-8")


def _units(*names: str) -> dict[str, Path]:
    return {f"systemd/{name}.service": UNITS / f"{name}.service" for name in names}


def _people_and_folders(package: str) -> dict[str, Path]:
    return {
        f"systemd/{package}.sysusers": Path(f"usr/lib/sysusers.d/{package}.conf"),
        f"systemd/{package}.tmpfiles": Path(f"usr/lib/tmpfiles.d/{package}.conf"),
        f"systemd/deb/maintainer/{package}/copyright": DOC / package / "copyright",
    }


TABLE = Layout(
    {
        **_units("tableside", "tableside-web", "tableside-uplink", "tableside-bridge", "tableside-kiosk"),
        **_people_and_folders("tableside"),
        "systemd/restart-pause": Path("usr/lib/tableside/restart-pause"),
        "systemd/between_rounds.py": Path("usr/lib/tableside/between_rounds.py"),
        "systemd/60-tableside.rules": Path("usr/lib/udev/rules.d/60-tableside.rules"),
        "systemd/journald-tableside.conf": Path("usr/lib/systemd/journald.conf.d/tableside.conf"),
        "examples/installed.toml": EXAMPLES / "table.toml",
    },
    folders={"docs": (DOC / "tableside", "*.md"), "systemd/prometheus": (EXAMPLES / "prometheus", "*")},
    links={"usr/bin/tableside": "/opt/tableside/bin/tableside"},
    completions=COMPLETIONS,
)
FLOOR = Layout(
    {
        **_units("tableside-floor", "tableside-nats", "tableside-progressive"),
        **_people_and_folders("tableside-floor"),
        "examples/installed-floor.toml": EXAMPLES / "floor.toml",
        "examples/installed-progressive.toml": EXAMPLES / "progressive.toml",
    }
)


def completion(shell: str) -> str:
    """The script with which a shell completes commands and options."""
    return get_completion_script(prog_name="tableside", complete_var=VARIABLE, shell=shell) + "\n"


def _copy(source: Path, target: Path) -> None:
    shutil.copyfile(source, _with_parent(target))


def _with_parent(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    return path
