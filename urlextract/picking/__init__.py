"""Choose links of a message at a terminal, and open, copy or print them.

Nothing of a message reaches a shell, and none of its control characters reaches the terminal.

- ``choices``: makes the list of links from a source.
- ``words``: those of a link in plain text.
- ``rows``: the lines that show them.
- ``asking``: lets the user choose by numbers at a prompt.
- ``fuzzy``: lets the user choose with fzf.
- ``opening``: opens the chosen URLs.
- ``copying``: copies them.
- ``tty``: the terminal; the only module that reads keys.
- ``picker``: puts these together: ``urlextract pick``.
"""
