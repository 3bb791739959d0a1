"""The floor's directories: who may work at which table."""
