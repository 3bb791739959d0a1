"""USB ports: one vendor interface with a bulk IN and a bulk OUT endpoint, through pyusb."""
