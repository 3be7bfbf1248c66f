"""The wire to a robot that runs ROS 2: packets of JSON to `python3 -m bridge.ros2.robot`, the process that has rclpy.

Each part (an arm, the base) has a connection of its own, which ends with it: then the bridge cancels what it does.
From here:

    {"op": "join", "kind": "arm" or "base", ...}    how ROS calls its joints, actions, frames and topics; first of all
    {"op": "alive"}                                 every BEAT seconds; after silence the bridge cancels everything
    {"op": "follow", "id": 7, "points": [[seconds, positions, velocities], ...]}
    {"op": "grip", "id": 8, "position": metres}
    {"op": "go", "id": 9, "pose": [x, y, theta]}
    {"op": "cancel"}                                all goals of the part, whoever gave them; with "id" that one
    {"op": "velocity", "twist": [forward, left, turn]}
    {"op": "stands", "pose": [x, y, theta]}         a person, or the eyes, say where the base is

From there:

    {"at": seconds, "stamp": seconds, "positions": [...] or "pose": [...], "missing": [what ROS does not offer]}
    {"goal": 7, "state": "succeeded", "detail": "", "stalled": false}

`at` is when ROS said so, monotonic; `stamp` when that was measured, by the clock of whoever did: only differences of
that mean anything here. Values are those of ROS; its map frame is heed's.
"""

SOCKET = "ros2.sock"
"""Where the bridge listens, in heed's runtime directory."""
BEAT = 0.1
"""Seconds between signs of life."""
LARGEST_PACKET = 1 << 17
