import { foreignMarkup } from '#feed-xml';
import type { FeedHead } from '#feed-xml';
import type { FeedSummary } from '#ports';

/**
 * What is kept of a feed's head: its title, its foreign markup (FeedSync 2.1.7; SSE has no rule for it), and the feeds that it has
 * incorporated (FeedSync 2.3.1, SSE 2.2.2).
 * @param markupLength how many characters (UTF-16) of markup in all; an element that does not fit is left out
 */
export function summarizeFeed(head: FeedHead, markupLength: number): FeedSummary {
  let room = markupLength;
  const markup = (head.dialect === 'feedsync' ? foreignMarkup(head) : []).filter((element) => {
    const fits = element.length <= room;
    if (fits) room -= element.length;
    return fits;
  });
  const aggregated = (head.sharing?.related ?? []).flatMap(({ type, link, title }) => (
    type === 'aggregated' ? [{ link, ...(title !== undefined && { title }) }] : []
  ));
  return { ...(head.title !== undefined && { title: head.title }), markup, aggregated };
}
