"""Messages in one stream: a module for each format, which cuts the stream into messages."""
