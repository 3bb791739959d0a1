"""What every process of a table needs: systemd, exit statuses, limits on memory."""
