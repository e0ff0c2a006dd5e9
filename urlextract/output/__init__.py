"""Records to lines: plain, explained, as JSON, taken apart; and the file or pipe that they are written to."""
