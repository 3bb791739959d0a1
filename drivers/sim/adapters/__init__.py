"""Simulated commercial shoes: the mechanics of the simulated shoe with the firmware of another maker.

`python -m drivers.sim.adapters MAKE --link PATH --control PATH [--tcp PORT]`. They implement the makers'
documents once more and share no code with the drivers.
"""
