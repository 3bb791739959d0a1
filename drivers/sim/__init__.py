"""Simulated devices: the other end of the wire, with behaviour in time and with faults.

A body (shoe, shuffler, bet sensors, jackpot display, dealer console) is pure; `unit` joins it to the
device's end of the link and to a faulty cable; `run` puts a unit on a pty as a process of its own;
`crew` is the dealer and the players.
"""
