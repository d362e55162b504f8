"""Prints what feedparser reads in each file of a folder, as JSON by file name: its items, or why it fails."""

import calendar
import datetime
import json
import os
import sys

import feedparser


def date_of(entry):
    parsed = entry.get("published_parsed") or entry.get("updated_parsed") or entry.get("created_parsed")
    if not parsed:
        return ""
    moment = datetime.datetime.fromtimestamp(calendar.timegm(parsed), datetime.timezone.utc)
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")


def content_of(entry):
    """Returns the first text in HTML, else the first text, of any vocabulary, as rss2email does."""
    texts = [*entry.get("content", []), entry.get("summary_detail", {})]
    shown = [
        (text["value"], text["type"])
        for text in texts
        if text.get("value") and text.get("type", "").startswith(("text/", "application/xhtml"))
    ]
    in_html = [text for text in shown if text[1] != "text/plain"]
    return [*in_html, *shown, ("", "")][0]


def item_of(entry, version):
    content, content_type = content_of(entry)
    title_type = entry.get("title_detail", {}).get("type", "")
    if not version.startswith("atom") and title_type == "text/plain":
        title_type = ""  # It guesses.
    return {
        "title": entry.get("title", ""),
        "titleType": title_type,
        "link": entry.get("link", ""),
        "published": date_of(entry),
        "authors": [author.get("name", author.get("email", "")) for author in entry.get("authors", [])],
        "content": content,
        "contentType": content_type,
        "enclosures": [part.get("href", "") for part in entry.get("enclosures", [])],
    }


def type_of(path):
    return "application/feed+json" if path.endswith(".json") else "application/xml"


def read(path, address):
    with open(path, "rb") as file:
        headers = {"content-location": address, "content-type": type_of(path)}
        feed = feedparser.parse(file.read(), sanitize_html=False, response_headers=headers)
    return [item_of(entry, feed.version) for entry in feed.entries]


folder, origin = sys.argv[1:3]
seen = {}
for name in sorted(os.listdir(folder)):
    try:
        seen[name] = read(os.path.join(folder, name), f"{origin}/{name}")
    except Exception as error:  # It is feedparser's own, of whatever kind.
        seen[name] = repr(error)
print(json.dumps(seen))
