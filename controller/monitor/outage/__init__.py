"""What the web server answers while no table plays: the daemon halts the table, or does not run."""
