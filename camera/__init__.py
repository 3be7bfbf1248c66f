"""heed-eyes: a camera and printed tags, in a process of its own (docs/eyes.md, docs/decisions/camera.md)."""
