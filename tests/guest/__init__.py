"""The table's computer as a guest: Debian's own kernel, udev and systemd in QEMU, with the package installed.

The guest needs no KVM. Its devices are simulated ones behind emulated USB, so the kernel's real drivers serve
them.
"""
