import { sseDialect } from '#sse';
import { expect } from '@jest/globals';
import { FeedScanner } from '#xml';
import type { ServedFeed } from './surroundings.ts';

/** What was announced by an earlier feed: everything up to this sequence, with this `until`. */
interface Announced {
  readonly until: number;
  readonly sequence: number;
}

/** Holds every feed of SSE against what its publisher has promised by the feeds before it (SSE 2.1). */
export class FeedWatch {
  readonly #announced = new Map<string, Announced[]>();

  readonly see = ({ label, feed, collection, items, body }: ServedFeed): void => {
    const { since, until } = feed.head.sharing ?? {};
    const now: Announced = { until: Date.parse(until ?? ''), sequence: collection.publication.sequence };
    const announced = this.#announced.get(label) ?? [];
    const last = announced.at(-1);
    this.#announced.set(label, [...announced, now]);
    expect(until).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    if (last !== undefined)
      expect(Math.sign(now.until - last.until)).toBe(Math.sign(now.sequence - last.sequence));

    const shown = new Set([...new FeedScanner(sseDialect).write(body)].map(({ id }) => id));
    const published = items.filter(({ sequence = 0 }) => sequence > 0);
    const required = published.filter(({ sequence = 0 }) => sequence > feed.since).map(({ id }) => id);
    expect([...shown]).toEqual(expect.arrayContaining(required));
    // Who read one of these feeds before, and is in sync by this one, finds in it whatever was published
    // since.
    const begin = since === undefined ? -Infinity : Date.parse(since);
    for (const { until, sequence: known } of announced.filter(({ until }) => begin <= until + 1000)) {
      const missed = published
        .filter(({ sequence = 0 }) => sequence > known && sequence <= feed.since)
        .map(({ id }) => id);
      expect({ until, missed }).toEqual({ until, missed: [] });
    }
  };
}
