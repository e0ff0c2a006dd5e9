"""Stage record: the stages before it, called in their order, give `Found` and `Rejection`.

``entry`` holds the public functions, ``texts`` the decoding of streams,
``positions`` line, column and byte, ``assembly`` the making of a record,
``evidence`` the weighing of hyphens, ``plain`` the lane that gives URLs alone.
"""
