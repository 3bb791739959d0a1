"""USB devices for a guest: what QEMU's usb-redir speaks, a serial converter, and a device with a vendor
interface."""
