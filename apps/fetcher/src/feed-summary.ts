import { isRepublishable } from '#xml';
import type { FeedHead } from '#xml';
import { fitting } from '#core';
import type { FeedSummary } from '#core';

/** How much is kept of a title, and of the feeds that a feed has incorporated, in UTF-16 code units. */
const titleLength = 4096;
const aggregatedLength = 262_144;

/**
 * What is kept of a feed's head: its title, the markup that our feeds are to have too, and the feeds that it
 * has incorporated (FeedSync 2.3.1, SSE 2.2.2). However long the head is, this can be stored and published:
 * what does not fit is left out, and so is markup that readers of our feeds would not take.
 * @param markup what its protocol republishes of the head
 * @param markupLength how many characters (UTF-16) of markup in all
 */
export function summarizeFeed(head: FeedHead, markup: readonly string[], markupLength: number): FeedSummary {
  const fittingMarkup = fitting(markup, markupLength, ({ length }) => length);
  const aggregated = (head.sharing?.related ?? []).flatMap(({ type, link, title }) =>
    type === 'aggregated'
      ? [{ link, ...(title !== undefined && { title: title.slice(0, titleLength) }) }]
      : [],
  );
  return {
    ...(head.title !== undefined && { title: head.title.slice(0, titleLength) }),
    markup: fittingMarkup.filter(isRepublishable),
    aggregated: fitting(
      aggregated,
      aggregatedLength,
      ({ link, title = '' }) => link.length + title.length + recordLength,
    ),
  };
}

/** What one aggregated feed takes beside its texts. */
const recordLength = 50;
