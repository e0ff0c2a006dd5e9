"""Run the stages in their order: from a source, a message or a text to `Found` and `Rejection` records.

``entry`` has the public functions, ``feeding`` those that are fed, ``options`` their options.
``item_results`` reads items, without those that the options do not ask for. ``reading`` scans their texts,
``pages`` their pages, which ``page_source`` cuts into stretches; both make records or URLs alone.
``assembly`` makes a record, with line, column and byte; ``links`` compares the text of a link with its
target. ``choice`` leaves out the records that the options do not ask for. ``evidence`` looks for a URL in
doubt in the rest of the text.
"""
