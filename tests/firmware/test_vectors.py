"""The vectors of the device's side on the emulated Cortex-M3: the tests of `tests/conformance` with another
bench. With TABLESIDE_EACH also those that take long, and a power cut in every write of the memory."""

import os
from typing import Final

import pytest

from tests.conformance.bench import play
from tests.conformance.firmware import FirmwareDevice, FirmwareLink, Program
from tests.conformance.test_devices import FILES
from tests.conformance.test_firmware import (
    test_a_frame_becomes_the_stated_bytes,
    test_a_frame_is_sealed_and_opened,
    test_bytes_become_the_stated_frames_and_noise,
    test_messages_are_read_and_written,
    test_strange_payloads_are_told_apart,
    test_the_c_code_judges_update_images_as_stated,
    test_the_c_device_follows_the_update_scripts,
    test_the_c_opener_returns_the_stated_verdicts_and_counters,
    test_the_c_transcript_macs_and_keys_match_the_vectors,
)
from tests.conformance.test_fuzzed import (
    test_the_c_decoder_reads_the_fuzzed_lines_as_recorded,
    test_the_c_decoder_reads_the_fuzzed_payloads_as_recorded,
)
from tests.conformance.test_links import LINK_FILES
from tests.conformance.test_power_cuts import (
    test_a_cut_in_any_write_leaves_all_or_nothing_of_a_deed as cut_in_any_write,
)
from tests.conformance.test_power_cuts import (
    test_a_memory_that_cannot_be_is_formatted,
    test_the_c_memory_equals_the_simulated_one_without_a_power_cut,
)
from tests.conformance.vectors import Vector, load, name_of

__all__ = [
    "test_a_frame_becomes_the_stated_bytes",
    "test_a_frame_is_sealed_and_opened",
    "test_a_memory_that_cannot_be_is_formatted",
    "test_bytes_become_the_stated_frames_and_noise",
    "test_messages_are_read_and_written",
    "test_strange_payloads_are_told_apart",
    "test_the_c_code_judges_update_images_as_stated",
    "test_the_c_decoder_reads_the_fuzzed_lines_as_recorded",
    "test_the_c_decoder_reads_the_fuzzed_payloads_as_recorded",
    "test_the_c_device_follows_the_update_scripts",
    "test_the_c_memory_equals_the_simulated_one_without_a_power_cut",
    "test_the_c_opener_returns_the_stated_verdicts_and_counters",
    "test_the_c_transcript_macs_and_keys_match_the_vectors",
]

EACH: Final = "TABLESIDE_EACH" in os.environ
LONG: Final = {"sequence-wrap", "link-sealed-sequence-wrap"}
"""Scripts of 65,536 frames."""
LINKS: Final = [vector for vector in load(*LINK_FILES) if EACH or name_of(vector) not in LONG]

if EACH:
    test_a_cut_in_any_write_leaves_all_or_nothing_of_a_deed = cut_in_any_write


@pytest.mark.parametrize("vector", load(*FILES), ids=name_of)
def test_a_device_on_the_target_follows_each_script(vector: Vector, firmware: Program) -> None:
    play(vector, FirmwareDevice(vector, firmware))


@pytest.mark.parametrize("vector", LINKS, ids=name_of)
def test_a_link_end_on_the_target_follows_each_script(vector: Vector, firmware: Program) -> None:
    play(vector, FirmwareLink(vector, firmware))
