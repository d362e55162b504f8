import { parseFeed } from 'feedsmith';
import type { ReadItem } from './read-item.ts';

type Values = Readonly<Record<string, unknown>>;

/** What feedsmith reads in a document: its items, or why it fails. */
export function readWithFeedsmith(document: string): readonly ReadItem[] | string {
  try {
    const { format, feed } = parseFeed(document) as { format: string; feed: Values };
    const items = list(feed, format === 'atom' ? 'entries' : 'items');
    return items.map((item) => (format === 'atom' ? atomItem(item) : otherItem(item)));
  } catch (error) {
    return String(error);
  }
}

function atomItem(item: Values): ReadItem {
  const links = list(item, 'links');
  const alternate = links.find(({ rel = 'alternate' }) => rel === 'alternate');
  const body =
    [member(item, 'content'), member(item, 'summary')].find(({ value }) => text(value) !== '') ?? {};
  const title = member(item, 'title');
  return {
    title: text(title['value']),
    titleType: text(title['type']) || 'text',
    link: text(alternate?.['href']),
    published: text(item['published']) || text(item['updated']),
    authors: list(item, 'authors').map(nameOf),
    content: text(body['value']),
    contentType: text(body['type']) || 'text',
    enclosures: links.filter(({ rel }) => rel === 'enclosure').map(({ href }) => text(href)),
  };
}

/** An item of RSS or JSON Feed. */
function otherItem(item: Values): ReadItem {
  const { creators = [], dates = [] } = member(item, 'dc') as { creators?: string[]; dates?: string[] };
  const authors = [...list(item, 'authors').map(nameOf), ...creators];
  const attachments = [...list(item, 'enclosures'), ...list(item, 'attachments')];
  const linked = list(member(item, 'atom'), 'links').filter(({ rel }) => rel === 'enclosure');
  const bodies = [member(item, 'content')['encoded'], item['content_html'], item['content_text']];
  return {
    title: text(item['title']),
    link: text(item['link']) || text(item['url']) || text(item['external_url']),
    published: text(item['pubDate']) || text(item['date_published']) || (dates[0] ?? ''),
    authors: authors.length > 0 ? authors : [text(member(item, 'itunes')['author'])].filter(Boolean),
    content: [...bodies, item['description'], item['summary']].map(text).find(Boolean) ?? '',
    enclosures: [...attachments.map(({ url }) => text(url)), ...linked.map(({ href }) => text(href))],
  };
}

function nameOf(person: Values): string {
  return typeof person === 'string' ? person : text(person['name']) || text(person['email']);
}

function list(values: Values, name: string): readonly Values[] {
  const found = values[name];
  return Array.isArray(found) ? (found as Values[]) : [];
}

function member(values: Values, name: string): Values {
  return (values[name] ?? {}) as Values;
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
