"""The report has all that a firmware engineer needs: the rule, the section, the bytes, where to look."""

from dataclasses import replace

from drivers.conformance.outcome import CheckOutcome, TraceLine
from drivers.conformance.report import as_json, details, summary, total
from drivers.conformance.runner import CheckReport
from drivers.conformance.subject import DeviceUnderTest
from drivers.protocol.codes import DeviceClass
from tests.drivers.conformance.rig import KEY, SERIAL, report, unit

SENT = TraceLine(0.0013, "sent", "channel 2 commands", "00 03")
CAME = TraceLine(0.0021, "came", "no frame: crc", "05 06")
FAILED = CheckOutcome(
    "link.nak",
    "4",
    "A gap gets one NAK.",
    "fail",
    0.2,
    "a NAK within 0.1 s",
    "the table of sequences",
    (SENT,),
    (),
    (SENT, CAME),
)
PASSED = CheckOutcome("frames.crc", "3", "A wrong CRC is dropped.", "pass")


def test_a_line_says_what_was_shown_or_what_was_expected() -> None:
    assert summary(PASSED).split() == ["pass", "frames.crc", "3", "A", "wrong", "CRC", "is", "dropped."]
    assert summary(FAILED).split() == ["fail", "link.nak", "4", "a", "NAK", "within", "0.1", "s"]


def test_a_failure_has_rule_section_bytes_and_advice() -> None:
    assert list(details(FAILED)) == [
        "link.nak: section 4 of firmware-protocol/README.md",
        "  rule      A gap gets one NAK.",
        "  expected  a NAK within 0.1 s",
        "  look for  the table of sequences",
        "  sent        0.0013 s -> channel 2 commands",
        "                       00 03",
        "  came      nothing",
        "  exchange    0.0013 s -> channel 2 commands",
        "                       00 03",
        "              0.0021 s <- no frame: crc",
        "                       05 06",
    ]


def test_a_long_exchange_shows_its_end() -> None:
    shown = list(details(replace(FAILED, came=(CAME,) * 20)))
    assert "  came      .. 4 more before these" in shown
    assert sum("<-" in line for line in shown) == 16 + 1


def test_the_report_ends_with_its_totals() -> None:
    assert total(CheckReport((PASSED, FAILED, PASSED))) == "2 passed, 1 failed, 0 not run"


def test_the_json_report_has_every_line() -> None:
    made = as_json(CheckReport((FAILED,)), "/dev/null", DeviceUnderTest(DeviceClass.SHOE, "S"))
    assert made["seal"] == "none"
    assert made["checks"][0]["exchange"][1] == {
        "at": 0.0021,
        "way": "came",
        "says": "no frame: crc",
        "hex": "05 06",
    }


async def test_a_real_failure_shows_both_ways_in_clear_and_in_hex() -> None:
    device = unit("shoe", key=KEY)
    device.settings = replace(device.settings, kind="console")  # it passes for a frame
    made = await report(device, "messages.foreign", key=KEY)
    (failed,) = made.failed
    assert failed.why == "a Result for key 1 with status 7 UNSUPPORTED; its status is 1 DONE"
    assert ["Command(key 1, Lock())" in line.says for line in failed.sent] == [True]
    assert ["Result(key 1, status 1 DONE)" in line.says for line in failed.came] == [True]
    assert SERIAL.encode().hex(" ") in failed.exchange[1].hex
