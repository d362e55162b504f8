import { publishedDate } from '#xml';
import type { Fragment } from '#xml';

/** How many items of a feed are searched for a date: the first ones, which mostly are the latest. */
const mostItems = 200;

/** The dates of the items of a feed as they arrive. */
export class ItemDates {
  /** In milliseconds since 1970, in the order of the feed. */
  readonly dates: number[] = [];
  #searched = 0;

  take(fragments: readonly Fragment[]): void {
    for (const { xml } of fragments.slice(0, mostItems - this.#searched)) {
      this.#searched += 1;
      const date = publishedDate(xml);
      if (date !== undefined) this.dates.push(date);
    }
  }
}
