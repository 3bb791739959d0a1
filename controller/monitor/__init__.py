"""The table's web server: pages, their API, metrics."""
