"""What an instance says of itself in the lease."""

from pathlib import Path

import pytest

from controller.config.web import WebSection
from controller.floor.approvals.standing import InstanceName

JOURNAL = Path("/var/lib/tableside floor/floor.journal")


@pytest.mark.parametrize("page", ["", "https://floor-1.example:8443/", "http://[2001:db8::7]:8080/"])
def test_the_name_of_an_instance_is_read_as_it_was_written(page: str) -> None:
    name = InstanceName("floor-1", JOURNAL, page)
    assert InstanceName.read(str(name)) == name


@pytest.mark.parametrize(
    "page", ["javascript:alert(1)", 'https://floor/"onload=x', "ftp://floor/", "https://floor/other", "x"]
)
def test_anything_but_the_address_of_a_page_becomes_no_link(page: str) -> None:
    assert InstanceName.read(f"floor-1:/var/floor.journal {page}").page == ""


@pytest.mark.parametrize(
    ("fields", "address"),
    [
        ({"host": "10.7.0.12", "port": 8443, "tls": True}, "https://10.7.0.12:8443/"),
        ({"host": "2001:db8::7", "port": 8443, "tls": True}, "https://[2001:db8::7]:8443/"),
        (
            {"host": "::", "port": 8443, "tls": True, "names": ("floor-1.example", "floor-1")},
            "https://floor-1.example:8443/",
        ),
        ({"names": ("localhost",), "port": 8090}, "http://localhost:8090/"),
        ({"host": "::", "port": 8443, "tls": True}, ""),
        ({"host": "127.0.0.1", "port": 8090}, ""),
        ({"host": "localhost", "port": 8090}, ""),
        ({"host": "10.7.0.12", "port": 0, "tls": True}, ""),
    ],
)
def test_the_address_of_pages_is_one_that_other_computers_reach(
    fields: dict[str, object], address: str
) -> None:
    assert WebSection.model_validate(fields).address == address
