"""A robot that runs ROS 2 as heed's body (docs/ros2.md): heed-hw on one side, actions of ROS on the other.

__main__.py and guard.py are two processes that watch each other; parts.py and action.py speak ROS, connections.py to
heed-hw (the packets are in hw/ros2/wire.py), transforms.py reckons.
"""
