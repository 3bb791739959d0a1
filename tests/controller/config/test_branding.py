"""The felt and the logo of a house: what a configuration may name, and what its faults say."""

import re
import struct
import zlib
from pathlib import Path

import pytest

from controller.config.felt import DEFAULT, LEAST, TEXTS, contrast, faint_texts, readable, shades
from controller.config.logo import ALLOWED, MOST_BYTES, LogoError, read_logo
from controller.monitor.paths import STATIC
from tests.controller.check.samples import check

SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 120 40">{}</svg>'
XLINK = '<use xmlns:x="http://www.w3.org/1999/xlink" x:href="{}"/>'


def png(width: int, height: int) -> bytes:
    """A grey picture."""
    pixels = zlib.compress(b"".join(b"\0" + b"\x80" * width for _ in range(height)))
    chunks = (
        (b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)),
        (b"IDAT", pixels),
        (b"IEND", b""),
    )
    framed = (
        struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
        for kind, body in chunks
    )
    return b"\x89PNG\r\n\x1a\n" + b"".join(framed)


def line_of(folder: Path, key: str) -> int:
    """The line of this key in the configuration that was checked."""
    lines = (folder / "table.toml").read_text().splitlines()
    return next(number for number, line in enumerate(lines, 1) if line.startswith(f"{key} ="))


def refused(path: Path, picture: bytes) -> str:
    path.write_bytes(picture)
    with pytest.raises(LogoError) as caught:
        read_logo(path)
    return str(caught.value)


class TestFelt:
    def test_the_default_is_that_of_the_style_sheet(self) -> None:
        found = shades(DEFAULT)
        tokens = (STATIC / "tokens.css").read_text()
        wanted = {"felt": found.felt, "felt-light": found.light, "felt-dark": found.dark}
        for name, colour in {**wanted, "felt-edge": found.edge, **TEXTS}.items():
            assert re.search(rf"^  --{name}: {colour};$", tokens, re.MULTILINE), name

    def test_contrast_is_that_of_the_standard(self) -> None:
        assert contrast("#000000", "#ffffff") == pytest.approx(21)
        assert contrast("#777777", "#ffffff") == pytest.approx(4.478, abs=0.001)

    @pytest.mark.parametrize("felt", ["#135239", "#7a1020", "#1D3A8A", "#222222"])
    def test_a_dark_felt_is_taken(self, felt: str) -> None:
        assert list(faint_texts(felt)) == []
        assert readable(felt) == felt

    @pytest.mark.parametrize("felt", ["#3fa372", "#ffffff", "#ff0000", "#00ffff"])
    def test_a_light_felt_gets_a_darker_one_proposed_on_which_texts_can_be_read(self, felt: str) -> None:
        assert list(faint_texts(felt))
        assert min(contrast(text, readable(felt)) for text in TEXTS.values()) >= LEAST

    def test_check_config_names_the_line_the_faint_text_and_a_felt_that_is_allowed(
        self, tmp_path: Path
    ) -> None:
        found = check(tmp_path, "easy-jack", '[web]\nfelt = "#3fa372"')
        assert found.exit_code == 2
        assert (
            f'line {line_of(tmp_path, "felt")}: web.felt = "#3fa372": not allowed, because the text #d5e8de'
            in found.stderr
        )
        assert 'allowed: a darker colour, such as "#21563c"' in found.stderr

    @pytest.mark.parametrize("felt", ["green", "#135", "#135239ff", "#13523g"])
    def test_a_felt_is_six_hexadecimal_digits(self, tmp_path: Path, felt: str) -> None:
        found = check(tmp_path, "easy-jack", f'[web]\nfelt = "{felt}"')
        assert found.exit_code == 2
        assert f'web.felt = "{felt}": not allowed; allowed: a dark colour, as "{DEFAULT}"' in found.stderr


class TestLogo:
    def test_a_drawing_is_taken_with_its_shape(self, tmp_path: Path) -> None:
        path = tmp_path / "logo.svg"
        path.write_text(SVG.format('<style>.a{fill:url(#g)}</style><path class="a" d="M0 0h9"/>'))
        logo = read_logo(path)
        assert (logo.kind, logo.aspect, logo.picture) == ("svg", 3.0, path.read_bytes())

    def test_a_drawing_may_say_its_size_in_pixels(self, tmp_path: Path) -> None:
        path = tmp_path / "logo.svg"
        path.write_text('<svg xmlns="http://www.w3.org/2000/svg" width="90px" height="45"/>')
        assert read_logo(path).aspect == 2.0

    def test_a_png_is_taken_with_its_shape(self, tmp_path: Path) -> None:
        path = tmp_path / "logo.png"
        path.write_bytes(png(60, 40))
        assert (read_logo(path).kind, read_logo(path).aspect) == ("png", 1.5)

    @pytest.mark.parametrize(
        ("content", "why"),
        [
            ("<script>alert(1)</script>", "has the element script"),
            ("<foreignObject/>", "has the element foreignObject"),
            ('<image href="#a"/>', "has the element image"),
            ('<set attributeName="href" to="#"/>', "has the element set"),
            ('<h:b xmlns:h="http://www.w3.org/1999/xhtml"/>', "has the element b"),
            ('<path onload="alert(1)"/>', "has the attribute onload in the element path"),
            ('<use href="other.svg#a"/>', "has the attribute href in the element use"),
            (XLINK.format("javascript:alert(1)"), "has the attribute href in the element use"),
            ('<path style="fill:url(other.svg)"/>', "has the attribute style in the element path"),
            ("<style>@import 'other.css';</style>", "has a style that leads elsewhere"),
            ("<style><![CDATA[.a{fill:url('other.svg')}]]></style>", "has a style that leads elsewhere"),
            ("<?xml-stylesheet href='other.css'?>", "has the instruction xml-stylesheet"),
        ],
    )
    def test_a_drawing_with_anything_else_is_refused(self, tmp_path: Path, content: str, why: str) -> None:
        assert refused(tmp_path / "logo.svg", SVG.format(content).encode()) == f"{why}; allowed: {ALLOWED}"

    @pytest.mark.parametrize(
        ("picture", "why"),
        [
            (b"GIF89a", "is neither PNG nor SVG"),
            (b"", "is neither PNG nor SVG"),
            (b"<html/>", "has the element html"),
            (b'<g xmlns="http://www.w3.org/2000/svg"/>', "has the element g around its picture"),
            (b'<svg xmlns="http://www.w3.org/2000/svg"/>', "does not say how large its picture is"),
            (SVG.replace("120", "wide").encode(), "does not say how large its picture is"),
            (b'<!DOCTYPE svg [<!ENTITY a "b">]>' + SVG.encode(), "has a document type"),
            (SVG.encode("utf-16").replace(b"1", b"\0"), "is neither PNG nor SVG"),
            (b" " * (MOST_BYTES + 1), "is too large"),
            (png(8, 8)[:20], "is only the beginning of a PNG"),
            (png(5000, 1), "is a PNG of 5000 x 1 pixels"),
        ],
    )
    def test_another_file_is_refused(self, tmp_path: Path, picture: bytes, why: str) -> None:
        assert refused(tmp_path / "logo", picture).startswith(why)

    def test_a_file_that_is_not_there_is_refused(self, tmp_path: Path) -> None:
        with pytest.raises(LogoError, match="cannot be read: No such file or directory"):
            read_logo(tmp_path / "logo.svg")

    def test_check_config_names_the_line_and_the_file(self, tmp_path: Path) -> None:
        (tmp_path / "house.svg").write_text(SVG.format("<script/>"))
        found = check(tmp_path, "easy-jack", '[web]\nhouse = "Grand"\nlogo = "house.svg"')
        assert found.exit_code == 2
        assert (
            f'line {line_of(tmp_path, "logo")}: web.logo = "{tmp_path}/house.svg": has the element script;'
            in found.stderr
        )

    def test_check_config_shows_the_branding(self, tmp_path: Path) -> None:
        (tmp_path / "house.svg").write_text(SVG.format(""))
        more = '[web]\nhouse = "Grand"\nlogo = "house.svg"\nfelt = "#7a1020"'
        assert (
            f"house: Grand, {tmp_path}/house.svg, felt #7a1020\n" in check(tmp_path, "easy-jack", more).stdout
        )
