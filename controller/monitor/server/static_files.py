"""Serves style sheets, scripts and fonts from a folder."""

import os
from typing import Final

from starlette.responses import Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

FONT: Final = ".woff2"
FOR_A_YEAR: Final = "public, max-age=31536000, immutable"
"""A font has its version in its name, so a browser never needs to ask for it again."""


class PageFiles(StaticFiles):
    """Files that pages load. Browsers keep fonts."""

    def file_response(
        self,
        full_path: str | os.PathLike[str],
        stat_result: os.stat_result,
        scope: Scope,
        status_code: int = 200,
    ) -> Response:
        response = super().file_response(full_path, stat_result, scope, status_code)
        if os.fspath(full_path).endswith(FONT):
            response.headers["Cache-Control"] = FOR_A_YEAR
        return response
