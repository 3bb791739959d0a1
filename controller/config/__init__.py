"""The configuration of a table."""

from controller.config.devices import DeviceSection, DevicesSection, ShoeSection
from controller.config.floor import FloorSection, UplinkSection
from controller.config.progressive import ProgressiveSection
from controller.config.reading import ConfigError, parse, read, read_journal_section
from controller.config.sections import Config, JackpotSection, JournalSection
from controller.config.web import AccessSection, WebSection

__all__ = [
    "AccessSection",
    "Config",
    "ConfigError",
    "DeviceSection",
    "DevicesSection",
    "FloorSection",
    "JackpotSection",
    "JournalSection",
    "ProgressiveSection",
    "ShoeSection",
    "UplinkSection",
    "WebSection",
    "parse",
    "read",
    "read_journal_section",
]
