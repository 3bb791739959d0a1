"""Where an error happened, without the values of variables: they might reveal a face-down card."""

import traceback


def fault_location(error: BaseException) -> str:
    """The type of an error and the function and line that raised it. It contains no values, because they
    might reveal a face-down card."""
    frames = traceback.extract_tb(error.__traceback__)
    where = f" in {frames[-1].name}, line {frames[-1].lineno}" if frames else ""
    return f"{type(error).__name__}{where}"


def trace(error: BaseException) -> list[str]:
    """The frames of an error's traceback, outermost first, without values."""
    return [
        f"{frame.filename}:{frame.lineno} {frame.name}" for frame in traceback.extract_tb(error.__traceback__)
    ]
