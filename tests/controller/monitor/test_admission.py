"""Limits for connections: a crowd displaces only itself."""

import pytest

from controller.monitor.server.admission import (
    ALL_BURST,
    ALL_REFILL,
    FAST_HANDSHAKE,
    FREQUENT_ARRIVALS,
    LOCAL_PARTY,
    MOST_CONNECTIONS,
    MOST_HANDSHAKES,
    MOST_PER_ADDRESS,
    REFILL,
    RESERVED,
    RESERVED_PER_ADDRESS,
    Admission,
    ConnectionSlot,
    party_of,
)

HERE = "10.0.0.1"
DAY = 86_400.0


class Doors:
    """An admission in virtual time, with clients that come and go."""

    def __init__(self) -> None:
        self.now = 0.0
        self.admission = Admission(lambda: self.now)
        self.ended: list[ConnectionSlot] = []

    def come(
        self, client: str, *, finished: bool = True, silent: bool = True, signed_in: bool = False
    ) -> ConnectionSlot | None:
        place = self.admission.admit(client, HERE)
        if place:
            place.finished, place.idle, place.signed_in = finished, lambda: silent, signed_in
            place.close = lambda: self.ended.append(place)
        return place

    def crowd(
        self,
        addresses: int,
        each: int,
        *,
        finished: bool = True,
        silent: bool = True,
        signed_in: bool = False,
    ) -> list[ConnectionSlot]:
        """This many connections from each address, slowly enough."""
        came = []
        for number in range(addresses * each):
            self.now += REFILL
            client = f"10.0.1.{number % addresses}"
            came.append(self.come(client, finished=finished, silent=silent, signed_in=signed_in))
        return [place for place in came if place]


def test_one_address_has_its_share_and_no_more() -> None:
    doors = Doors()
    served = [doors.come("10.0.0.7", silent=False, signed_in=True) for _ in range(MOST_PER_ADDRESS)]
    assert all(served)
    doors.now += DAY
    assert doors.come("10.0.0.7") is None
    assert doors.come("10.0.0.8")


def test_a_network_of_ipv6_is_one_address() -> None:
    assert party_of("2001:db8:1:2:3::4", HERE) == party_of("2001:db8:1:2::9", HERE)
    assert party_of("2001:db8:1:3::4", HERE) != party_of("2001:db8:1:2::4", HERE)
    assert party_of("::ffff:10.0.0.7", HERE) == party_of("10.0.0.7", HERE) == "10.0.0.7"
    assert party_of("fe80::1%eth0", HERE) == "fe80::"
    assert party_of(HERE, HERE) == LOCAL_PARTY


@pytest.mark.parametrize("silent", [True, False])
def test_no_crowd_takes_the_places_of_this_computer(silent: bool) -> None:
    doors = Doors()
    doors.crowd(100, 20, silent=silent)
    assert len(doors.admission) == MOST_CONNECTIONS - MOST_PER_ADDRESS
    assert all(doors.come(HERE, silent=False) for _ in range(MOST_PER_ADDRESS))
    assert len(doors.admission) == MOST_CONNECTIONS
    assert not any(place.local for place in doors.ended)


def test_a_silent_crowd_displaces_itself_and_nobody_who_is_served() -> None:
    doors = Doors()
    served = [doors.come(f"10.0.2.{number}", silent=False) for number in range(20)]
    quiet = doors.come("10.0.3.1")
    crowd = doors.crowd(20, 20)
    assert doors.come("10.0.3.2")
    assert len(doors.admission) == MOST_CONNECTIONS - MOST_PER_ADDRESS
    assert set(doors.ended) <= set(crowd)
    assert quiet not in doors.ended
    assert not set(served) & set(doors.ended)


def test_the_next_connection_is_refused_when_every_place_serves_a_signed_in_person() -> None:
    doors = Doors()
    doors.crowd(20, 20, silent=False, signed_in=True)
    assert doors.come("10.0.3.1") is None
    assert not doors.ended


def test_an_idle_anonymous_connection_makes_room_before_one_of_a_signed_in_person() -> None:
    doors = Doors()
    crowd = doors.crowd(20, 20, signed_in=True)
    anonymous = crowd[-1]
    anonymous.signed_in = False
    doors.ended.clear()
    assert doors.come("10.0.3.1")
    assert doors.ended == [anonymous]


def test_people_who_follow_without_signing_in_make_room_for_those_who_come() -> None:
    doors = Doors()
    followers = doors.crowd(20, 20, silent=False)
    assert len(doors.admission) == MOST_CONNECTIONS - MOST_PER_ADDRESS
    doors.ended.clear()
    for number in range(RESERVED):
        assert doors.come(f"10.0.4.{number}", silent=False, signed_in=True)
    assert len(doors.ended) == RESERVED
    assert set(doors.ended) <= set(followers)
    assert doors.come("10.0.3.1") is None, "the others follow undisturbed"


def test_followers_at_one_address_keep_no_colleague_out() -> None:
    doors = Doors()
    followers = [doors.come("10.0.0.7", silent=False) for _ in range(MOST_PER_ADDRESS)]
    doors.now += DAY
    assert all(doors.come("10.0.0.7", silent=False, signed_in=True) for _ in range(RESERVED_PER_ADDRESS))
    assert len(doors.ended) == RESERVED_PER_ADDRESS
    assert set(doors.ended) <= set(followers)
    assert doors.come("10.0.0.7") is None


def test_handshakes_that_do_not_end_make_room_for_others() -> None:
    doors = Doors()
    doors.crowd(20, 5, finished=False)
    assert MOST_HANDSHAKES <= len(doors.admission) <= MOST_HANDSHAKES + 2
    doors.now += 2 * FAST_HANDSHAKE
    assert doors.come("10.0.3.1", finished=False)
    assert len(doors.admission) <= MOST_HANDSHAKES + 2


def test_a_burst_of_honest_handshakes_is_no_crowd() -> None:
    doors = Doors()
    assert all(doors.come(HERE, finished=False) for _ in range(MOST_PER_ADDRESS))
    assert not doors.ended


def test_a_flood_from_one_address_is_refused_before_it_costs_anything() -> None:
    doors = Doors()
    for _ in range(1000):
        if place := doors.come("10.0.0.7"):
            doors.admission.release(place)
    assert doors.admission.refused == 1000 - MOST_PER_ADDRESS
    doors.now += REFILL
    assert doors.come("10.0.0.7")
    assert doors.come("10.0.0.8"), "others are not concerned"


def test_a_flood_from_many_addresses_concerns_neither_this_computer_nor_who_comes_seldom() -> None:
    doors, admitted = Doors(), 0
    for second in range(20):
        for number in range(2000):
            doors.now = second + number / 2000
            if place := doors.come(f"10.1.0.{number % 200}"):
                admitted += 1
                doors.admission.release(place)
        for client in (HERE, "10.0.0.8"):
            place = doors.come(client)
            assert place
            doors.admission.release(place)
    assert admitted <= 200 * FREQUENT_ARRIVALS + ALL_BURST + 20 / ALL_REFILL
