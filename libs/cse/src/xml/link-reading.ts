import type { CseRuleName } from './rule.ts';
import type { Link } from '../engine/feed.ts';
import { resolveBase, FeedError, quote, rawAttributes, textOf, attributesOf, scopeOf, isUrl } from '#xml';
import { cseNamespace } from './namespace.ts';
import type { ViolationList, ScanLimits, XmlElement } from '#xml';
import type { LinkOccurrence, LinkPlace } from './link-occurrence.ts';
import { readBoolean } from './value-reading.ts';

/**
 * How long a link may be with what it is relative to, and as an absolute URL, in UTF-16 code units: one base
 * is repeated in every link.
 */
const urlLength = 8192;

/** Reads the links of one item (CSE, csx:link and its attributes). */
export class LinkReader {
  readonly #xml: string;
  readonly #feedUrl: string;
  readonly #violations: ViolationList<CseRuleName>;
  readonly #limit: number;
  readonly #links = new Map<string, Link>();
  readonly #occurrences: LinkOccurrence[] = [];
  #nestedFeed: Link | undefined;
  #nestedFeeds = 0;
  #count = 0;

  constructor(
    xml: string,
    feedUrl: string,
    violations: ViolationList<CseRuleName>,
    { itemLinks }: Pick<ScanLimits, 'itemLinks'>,
  ) {
    this.#xml = xml;
    this.#feedUrl = feedUrl;
    this.#violations = violations;
    this.#limit = itemLinks;
  }

  /** Those that count: all, each URL once; if one is a nested feed, that one; if more are, none. */
  get all(): readonly Link[] {
    if (this.#nestedFeeds === 0) return [...this.#links.values()];
    return this.#nestedFeeds > 1 || this.#nestedFeed === undefined ? [] : [this.#nestedFeed];
  }

  /** Every link that has a URL, whether it counts or not, in document order. */
  get occurrences(): readonly LinkOccurrence[] {
    return this.#occurrences;
  }

  /**
   * Throws `FeedError` (rule `limit-item-links`) for a link too many.
   * @param child the child of the item that the link is, or is in; `number` is its number in the payload
   */
  add(element: XmlElement, child: XmlElement, number: number): void {
    this.#count += 1;
    if (this.#count > this.#limit) {
      throw new FeedError({
        rule: 'limit-item-links',
        section: 'limits',
        message: `An item has more than ${this.#limit} links (limit "itemLinks").`,
        ...this.#violations.positionOf(element),
      });
    }
    const nestedFeed = readBoolean(
      element,
      'nestedFeed',
      this.#attribute(element, 'nestedFeed'),
      'cse-nested-feed-value',
      this.#violations,
    );
    const onDemand = readBoolean(
      element,
      'onDemand',
      this.#attribute(element, 'onDemand'),
      'cse-on-demand-value',
      this.#violations,
    );
    this.#checkAttributes(element);
    if (nestedFeed) this.#nestedFeeds += 1;
    if (nestedFeed && this.#nestedFeeds === 2)
      this.#violations.add(
        element,
        'cse-nested-feed-multiple',
        'One csx:link of an item may be a nested feed; this is the second, so none of the links is followed.',
      );
    const url = this.#readUrl(element);
    if (url === undefined) return;
    if (element.children.length > 0)
      this.#violations.add(
        element,
        'cse-link-elements',
        'A csx:link holds a URL and no elements; of those in it the text alone is read.',
      );
    const link = { url, nestedFeed, onDemand };
    this.#occurrences.push({ ...link, place: this.#placeOf(element, child, number) });
    if (nestedFeed) this.#nestedFeed = link;
    const same = this.#links.get(url);
    // Where a URL is linked to twice, once is enough to have it downloaded.
    if (same === undefined || (same.onDemand && !onDemand)) this.#links.set(url, link);
  }

  #placeOf({ start, end }: XmlElement, child: XmlElement, number: number): LinkPlace {
    const slice = this.#xml.slice(start, end);
    const tagEnd = slice.indexOf('>', rawAttributes(slice).at(-1)?.valueEnd ?? 0);
    const offset = start - child.start;
    return { child: number, start: offset + tagEnd + 1, end: offset + slice.lastIndexOf('<') };
  }

  /** The specification writes them without a prefix; with one they can mean nothing else. */
  #attribute(element: XmlElement, name: string): string | undefined {
    const found = attributesOf(element).filter((attribute) => attribute.name === name);
    return (
      found.find(({ namespace }) => namespace === '') ??
      found.find(({ namespace }) => namespace === cseNamespace)
    )?.value;
  }

  #checkAttributes(element: XmlElement): void {
    for (const { namespace, name } of attributesOf(element)) {
      if (namespace !== cseNamespace || name === 'nestedFeed' || name === 'onDemand') continue;
      this.#violations.add(
        element,
        'cse-attribute-unknown',
        `Content Sync Extensions define no attribute ${quote(name)} of csx:link; it means nothing.`,
      );
    }
  }

  #readUrl(element: XmlElement): string | undefined {
    const text = textOf(element, this.#xml);
    if (text === '') {
      this.#violations.add(
        element,
        'cse-link-empty',
        'A csx:link holds a URL; this one is empty, and left out.',
      );
      return undefined;
    }
    const ownBase = scopeOf(element).base;
    if (text.length + (ownBase?.length ?? 0) > urlLength) {
      this.#violations.add(
        element,
        'cse-link-url',
        `A csx:link holds a URL; this one is longer than ${urlLength} with its xml:base (limit ` +
          '"urlLength"), and left out.',
      );
      return undefined;
    }
    const base = resolveBase(this.#feedUrl, ownBase) ?? this.#feedUrl;
    if (!isUrl(text, base)) {
      this.#violations.add(
        element,
        'cse-link-url',
        `A csx:link holds a URL; ${quote(text)} is none, and left out.`,
      );
      return undefined;
    }
    const url = new URL(text, base);
    url.hash = '';
    if (url.href.length <= urlLength) return url.href;
    this.#violations.add(
      element,
      'cse-link-url',
      `A csx:link leads to a URL that is longer than ${urlLength} (limit "urlLength"), and is left out.`,
    );
    return undefined;
  }
}
