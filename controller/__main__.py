"""`python -m controller`: the same as the command `tableside`."""

from controller.cli import app

if __name__ == "__main__":
    app(prog_name="tableside")
