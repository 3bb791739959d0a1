"""Simulated devices: the other end of the wire, with behaviour in time and with faults.

A body (shoe, shuffler, bet sensors, jackpot display, dealer console) is pure. `unit` joins it to the
device's end of the link and to a faulty cable. `run` serves a unit on a pty, in a process of its own.
"""
