"""The parts into which `tableside --help` sorts its commands."""

TABLE = "Table"
PEOPLE = "People"
JOURNAL = "Journal"
DEVICES = "Devices"
GAMES = "Games"
