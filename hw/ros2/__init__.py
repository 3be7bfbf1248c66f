"""Robots that run ROS 2: arms and bases that are moved by its actions (docs/ros2.md). Nothing here knows rclpy."""
