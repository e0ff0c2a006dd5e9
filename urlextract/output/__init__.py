"""Format records as lines (plain, explained, as JSON, as parts of URLs), and write them to a file or pipe."""
