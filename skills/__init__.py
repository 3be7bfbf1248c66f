"""What the robot can do. Importing a module of this package registers its skills."""
