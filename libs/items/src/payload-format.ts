import { convertPayload, FeedError } from '#feed-xml';
import type { Format, Payload } from '#feed-xml';

/**
 * The payload in a format, itself where it has that one already. Atom and RSS say what each other can; an outline is none of them.
 * @throws FeedError of rule `format-fixed`
 */
export function payloadIn(format: Format, payload: Payload): Payload {
  if (payload.format === format) return payload;
  if (payload.format === 'opml' || format === 'opml')
    throw new FeedError({ rule: 'format-fixed', section: 'SSE 2.3', message: `An item in ${payload.format} has no place in a collection in ${format}.`, line: 1, column: 1 });
  return convertPayload(payload, format);
}
