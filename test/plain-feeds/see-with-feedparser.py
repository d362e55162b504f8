"""Prints what feedparser sees in each feed of a folder: id, link and title of its items, as JSON by file name."""

import json
import os
import sys

import feedparser

seen = {}
for name in sorted(os.listdir(sys.argv[1])):
    with open(os.path.join(sys.argv[1], name), "rb") as file:
        try:
            feed = feedparser.parse(file.read(), sanitize_html=False, resolve_relative_uris=False)
        except Exception as error:  # It is feedparser's own, of whatever kind.
            seen[name] = repr(error)
            continue
    seen[name] = [[entry.get(key, "") for key in ("id", "link", "title")] for entry in feed.entries]
print(json.dumps(seen))
