"""Reports over HTTP. They are made by processes of their own: nothing here reads a journal."""
