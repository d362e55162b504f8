import { elementsIn, readPlainElement } from '../conformance/plain/plain-element.ts';
import type { PlainElement } from '../conformance/plain/plain-element.ts';
import {
  atom,
  Faults,
  isAbsoluteUri,
  isDateTime,
  isMediaType,
  looksLikeMarkup,
  named,
  relativeReferencesIn,
  textIn,
} from './faults.ts';

const feedNames = [
  'title',
  'subtitle',
  'id',
  'updated',
  'link',
  'author',
  'generator',
  'category',
  'rights',
  'entry',
];
const entryNames = [
  'title',
  'id',
  'updated',
  'published',
  'link',
  'author',
  'category',
  'rights',
  'summary',
  'content',
  'source',
];
const media = 'http://search.yahoo.com/mrss/';
const once = ['title', 'subtitle', 'id', 'updated', 'published', 'rights', 'summary', 'content', 'generator'];

/**
 * What is wrong with an Atom feed for feed readers: by RFC 4287, and by what it and common readers advise.
 * @param url where the feed is
 */
export function atomFaults(xml: string, url: string): string[] {
  const faults = new Faults();
  const feed = readPlainElement(xml);
  faults.expect(feed.name === 'feed' && feed.namespace === atom, 'document', 'is no Atom feed');
  checkCommon(feed, feedNames, 'feed', faults);
  const links = named(feed, atom, 'link');
  faults.expect(
    links.some(
      ({ attributes }) =>
        attributes['rel'] === 'self' &&
        attributes['href'] === url &&
        attributes['type'] === 'application/atom+xml',
    ),
    'feed',
    'does not say where it is',
  );
  const entries = named(feed, atom, 'entry');
  faults.expect(
    elementsIn(feed)
      .slice(-entries.length || Infinity)
      .every(({ name }) => name === 'entry'),
    'feed',
    'has metadata after its first entry',
  );
  for (const [number, entry] of entries.entries())
    checkEntry(entry, named(feed, atom, 'author').length > 0, `entry ${number}`, faults);
  for (const name of ['id', 'updated']) {
    const values = entries.map((entry) => text(entry, name));
    faults.expect(new Set(values).size === values.length, 'feed', `has two entries with the same ${name}`);
  }
  const dates = entries.map((entry) => text(entry, 'updated'));
  faults.expect(
    dates.every((date) => date <= text(feed, 'updated').replace('Z', '.999999Z')),
    'feed',
    'has an entry that is newer than itself',
  );
  return faults.all;
}

function checkEntry(entry: PlainElement, hasFeedAuthor: boolean, where: string, faults: Faults): void {
  checkCommon(entry, entryNames, where, faults);
  faults.expect(
    hasFeedAuthor || named(entry, atom, 'author').length > 0,
    where,
    'has no author, nor has the feed',
  );
  const isAlternate = ({ attributes }: PlainElement): boolean =>
    (attributes['rel'] ?? 'alternate') === 'alternate';
  const [content] = named(entry, atom, 'content');
  const alternates = named(entry, atom, 'link').filter(isAlternate);
  faults.expect(
    content !== undefined || alternates.length > 0,
    where,
    'has neither content nor an alternate link (4.1.2)',
  );
  faults.expect(
    content !== undefined || named(entry, atom, 'summary').length > 0,
    where,
    'has neither content nor a summary',
  );
  faults.expect(
    new Set(alternates.map(({ attributes }) => `${attributes['type']} ${attributes['hreflang']}`)).size ===
      alternates.length,
    where,
    'has two alternate links of one kind',
  );
  for (const published of named(entry, atom, 'published')) {
    faults.expect(
      isDateTime(textIn(published)),
      where,
      `has a published that is no date: ${textIn(published)}`,
    );
    faults.expect(
      Date.parse(textIn(published)) <= Date.parse(text(entry, 'updated')),
      where,
      'was published after its last update',
    );
  }
}

/** What a feed and an entry have in common. */
function checkCommon(element: PlainElement, names: readonly string[], where: string, faults: Faults): void {
  for (const { namespace, name } of elementsIn(element))
    faults.expect(
      (namespace === atom && names.includes(name)) || (namespace === media && name === 'thumbnail'),
      where,
      `holds {${namespace}}${name}`,
    );
  for (const name of once)
    faults.expect(named(element, atom, name).length <= 1, where, `has more than one ${name}`);
  for (const name of ['title', 'id', 'updated'])
    faults.expect(named(element, atom, name).length === 1, where, `has no ${name}`);
  faults.expect(
    isAbsoluteUri(text(element, 'id')),
    where,
    `has an id that is no URI: ${text(element, 'id')}`,
  );
  faults.expect(
    isDateTime(text(element, 'updated')),
    where,
    `has an updated that is no date: ${text(element, 'updated')}`,
  );
  const language = element.attributes['{http://www.w3.org/XML/1998/namespace}lang'];
  faults.expect(
    language === undefined || /^[a-z]{2,8}(-[a-z0-9]{1,8})*$/i.test(language),
    where,
    `has the language ${language}`,
  );
  for (const name of ['title', 'subtitle', 'rights', 'summary', 'content'])
    for (const one of named(element, atom, name)) checkText(one, `${where}, ${name}`, faults);
  for (const link of named(element, atom, 'link')) checkLink(link, `${where}, link`, faults);
  for (const { attributes } of named(element, atom, 'category')) {
    faults.expect((attributes['term'] ?? '').trim() !== '', where, 'has a category without a term');
    faults.expect(
      attributes['scheme'] === undefined || isAbsoluteUri(attributes['scheme']),
      where,
      `has a category with the scheme ${attributes['scheme']}`,
    );
  }
  for (const author of named(element, atom, 'author')) checkPerson(author, `${where}, author`, faults);
}

function checkText(element: PlainElement, where: string, faults: Faults): void {
  const { type = 'text' } = element.attributes;
  faults.expect(type === 'text' || type === 'html', where, `is of the type ${type}`);
  faults.expect(elementsIn(element).length === 0, where, 'holds elements');
  faults.expect(textIn(element).trim() !== '', where, 'is blank');
  if (type === 'html')
    faults.expect(
      relativeReferencesIn(textIn(element)).length === 0,
      where,
      `has relative references: ${relativeReferencesIn(textIn(element)).join(' ')}`,
    );
  else faults.expect(!looksLikeMarkup(textIn(element)), where, 'is text that looks like markup');
}

function checkLink({ attributes, children }: PlainElement, where: string, faults: Faults): void {
  faults.expect(children.length === 0, where, 'is not empty');
  faults.expect(isAbsoluteUri(attributes['href'] ?? ''), where, `leads to ${attributes['href']}`);
  faults.expect(
    ['alternate', 'self', 'enclosure', 'replies'].includes(attributes['rel'] ?? 'alternate'),
    where,
    `has the relation ${attributes['rel']}`,
  );
  faults.expect(
    attributes['type'] === undefined || isMediaType(attributes['type']),
    where,
    `has the type ${attributes['type']}`,
  );
  faults.expect(
    attributes['length'] === undefined || /^\d+$/.test(attributes['length']),
    where,
    `has the length ${attributes['length']}`,
  );
}

function checkPerson(person: PlainElement, where: string, faults: Faults): void {
  faults.expect(
    named(person, atom, 'name').length === 1 && text(person, 'name').trim() !== '',
    where,
    'has no name',
  );
  for (const uri of named(person, atom, 'uri'))
    faults.expect(isAbsoluteUri(textIn(uri)), where, `has the uri ${textIn(uri)}`);
  for (const email of named(person, atom, 'email'))
    faults.expect(/^[^@\s]+@[^@\s]+\.[^@\s]+$/.test(textIn(email)), where, `has the email ${textIn(email)}`);
}

function text(element: PlainElement, name: string): string {
  const [child] = named(element, atom, name);
  return child === undefined ? '' : textIn(child);
}
