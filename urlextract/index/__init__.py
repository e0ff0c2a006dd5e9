"""The index: the links of archives in one SQLite file, which remembers in itself what was read."""
