"""What somebody who writes a plug-in uses: tests that every game must pass, and a folder to begin with."""

from controller.plugin_kit.contract import GameContract

__all__ = ["GameContract"]
