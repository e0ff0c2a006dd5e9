"""How messages stand in one stream: a module for each format, which cuts it into messages."""
