"""heed as a node of ROS 2 (docs/ros2.md). Only node.py and __main__.py know rclpy; the rest is plain Python."""
