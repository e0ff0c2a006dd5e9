"""What earlier runs have read, and how files are read on from there."""
