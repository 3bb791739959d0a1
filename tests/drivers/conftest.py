"""How examples are made up in all tests of drivers."""

from hypothesis import HealthCheck, settings

# How long an example takes says how busy the machine is
settings.register_profile("patient", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("patient")
