"""Stage output: records to lines. One module a target; none knows how a URL is found."""
