"""The technician's page: devices and their lines, lamp tests, test mode, the computer."""
