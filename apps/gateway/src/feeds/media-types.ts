/** The media types of feeds, by format. */
export const mediaTypes = {
  atom: 'application/atom+xml; charset=utf-8',
  rss: 'application/rss+xml; charset=utf-8',
  opml: 'text/x-opml; charset=utf-8',
} as const;
