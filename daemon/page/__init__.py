"""The page in a browser: one file each for what it looks like, what it does, what it is told, and who may."""
