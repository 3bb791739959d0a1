"""Simulated commercial shoes: the mechanics of the simulated shoe, with another firmware's bytes and habits.

`python -m drivers.sim.adapters MAKE --link PATH --control PATH [--tcp PORT]`. Their bytes are written here
once more, from the same documents as the drivers', by code that shares nothing with them.
"""
