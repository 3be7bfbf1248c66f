"""Stands in for camera.labels as a child: says how grey the picture is."""

import json
import sys

import cv2

picture = cv2.imread(sys.argv[1], 0)
height, width = picture.shape
print(json.dumps([{"text": f"grey {picture[0, 0]}", "confidence": 1.0, "box": [0, 0, width, height]}]))
