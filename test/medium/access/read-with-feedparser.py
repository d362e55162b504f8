"""Prints the titles that feedparser reads at an address, and the status of the response, as JSON."""

import json
import sys

import feedparser

feed = feedparser.parse(sys.argv[1])
print(json.dumps({"status": feed.get("status"), "titles": [entry.title for entry in feed.entries]}))
