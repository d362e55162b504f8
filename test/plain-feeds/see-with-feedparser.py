"""Prints what feedparser sees in each feed of a folder: id, link and title of its items, as JSON by file name."""

import html
import json
import os
import sys

import feedparser


def title_of(entry):
    """The title as people read it: that of RSS is HTML for feedparser."""
    is_html = entry.get("title_detail", {}).get("type") == "text/html"
    title = entry.get("title", "")
    return html.unescape(title) if is_html else title


seen = {}
for name in sorted(os.listdir(sys.argv[1])):
    with open(os.path.join(sys.argv[1], name), "rb") as file:
        try:
            feed = feedparser.parse(file.read(), sanitize_html=False, resolve_relative_uris=False)
        except Exception as error:  # It is feedparser's own, of whatever kind.
            seen[name] = repr(error)
            continue
    seen[name] = [[entry.get("id", ""), entry.get("link", ""), title_of(entry)] for entry in feed.entries]
print(json.dumps(seen))
