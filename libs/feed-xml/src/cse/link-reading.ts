import type { Link } from '#cse';
import { resolveBase } from '../base.ts';
import type { BreachList } from '../breach-list.ts';
import { quote } from '../breach-list.ts';
import { cseNamespace } from '../namespace.ts';
import { textOf } from '../text-content.ts';
import { attributesOf, scopeOf } from '../tree.ts';
import type { XmlElement } from '../tree.ts';
import { readBoolean } from './value-reading.ts';

/** Reads the links of one item (CSE, csx:link and its attributes). */
export class LinkReader {
  readonly #xml: string;
  readonly #feedUrl: string;
  readonly #breaches: BreachList;
  readonly #links = new Map<string, Link>();
  #nestedFeed: Link | undefined;
  #nestedFeeds = 0;

  constructor(xml: string, feedUrl: string, breaches: BreachList) {
    this.#xml = xml;
    this.#feedUrl = feedUrl;
    this.#breaches = breaches;
  }

  /** Those that count: all, each URL once; where one is a nested feed, that one; where more are, none. */
  get all(): readonly Link[] {
    if (this.#nestedFeeds === 0) return [...this.#links.values()];
    return this.#nestedFeeds > 1 || this.#nestedFeed === undefined ? [] : [this.#nestedFeed];
  }

  add(element: XmlElement): void {
    const nestedFeed = readBoolean(element, 'nestedFeed', this.#attribute(element, 'nestedFeed'), 'cse-nested-feed-value', this.#breaches);
    const onDemand = readBoolean(element, 'onDemand', this.#attribute(element, 'onDemand'), 'cse-on-demand-value', this.#breaches);
    this.#checkAttributes(element);
    if (nestedFeed) this.#nestedFeeds += 1;
    if (nestedFeed && this.#nestedFeeds === 2) this.#breaches.add(element, 'cse-nested-feed-multiple', 'One csx:link of an item may be a nested feed; this is the second, so none of the links is followed.');
    const url = this.#readUrl(element);
    if (url === undefined) return;
    const link = { url, nestedFeed, onDemand };
    if (nestedFeed) this.#nestedFeed = link;
    const same = this.#links.get(url);
    // Where a URL is linked to twice, once is enough to have it downloaded.
    if (same === undefined || (same.onDemand && !onDemand)) this.#links.set(url, link);
  }

  /** The specification writes them without a prefix; with one they can mean nothing else. */
  #attribute(element: XmlElement, name: string): string | undefined {
    const found = attributesOf(element).filter((attribute) => attribute.name === name);
    return (found.find(({ namespace }) => namespace === '') ?? found.find(({ namespace }) => namespace === cseNamespace))?.value;
  }

  #checkAttributes(element: XmlElement): void {
    for (const { namespace, name } of attributesOf(element)) {
      if (namespace !== cseNamespace || name === 'nestedFeed' || name === 'onDemand') continue;
      this.#breaches.add(element, 'cse-attribute-unknown', `Content Sync Extensions define no attribute ${quote(name)} of csx:link; it means nothing.`);
    }
  }

  #readUrl(element: XmlElement): string | undefined {
    const text = textOf(element, this.#xml);
    if (text === '') {
      this.#breaches.add(element, 'cse-link-empty', 'A csx:link holds a URL; this one is empty, and left out.');
      return undefined;
    }
    const base = resolveBase(this.#feedUrl, scopeOf(element).base) ?? this.#feedUrl;
    if (!URL.canParse(text, base)) {
      this.#breaches.add(element, 'cse-link-url', `A csx:link holds a URL; ${quote(text)} is none, and left out.`);
      return undefined;
    }
    const url = new URL(text, base);
    url.hash = '';
    return url.href;
  }
}
