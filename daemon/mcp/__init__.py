"""heed and other programs over the Model Context Protocol; needs the extra `mcp`."""
