"""The bridge: events of a table for other systems, over MQTT and as webhooks."""
