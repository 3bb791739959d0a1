"""What the stage of a demonstration decides before anything runs."""

import socket
from pathlib import Path

from controller.demo.scene import Scene
from controller.demo.stage import Stage, free_port


def test_two_stages_have_pages_of_their_own(tmp_path: Path) -> None:
    one, other = Stage(tmp_path / "one", Scene()), Stage(tmp_path / "other", Scene())
    assert one.address != other.address


def test_a_free_port_is_the_one_wished_for_unless_somebody_listens_there() -> None:
    wish = free_port()
    assert free_port(wish) == wish
    with socket.create_server(("127.0.0.1", wish)):
        assert free_port(wish) != wish
