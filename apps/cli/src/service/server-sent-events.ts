import { readLines } from './read-lines.ts';

/** One event of a `text/event-stream`. */
interface ServerSentEvent {
  /** The last id that the stream gave; empty if it gave none. */
  readonly id: string;
  readonly type: string;
  readonly data: string;
}

/**
 * Reads a `text/event-stream` (HTML Standard, 9.2) as it arrives. Comments and unknown fields are passed
 * over; an event without its closing empty line is dropped.
 */
export async function* readServerSentEvents(
  body: AsyncIterable<Uint8Array>,
): AsyncGenerator<ServerSentEvent> {
  let id = '';
  let type = '';
  let data: string[] = [];
  for await (const line of readLines(body)) {
    if (line === '') {
      if (data.length > 0) yield { id, type: type === '' ? 'message' : type, data: data.join('\n') };
      type = '';
      data = [];
      continue;
    }
    const colon = line.indexOf(':');
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (field === 'data') data.push(value);
    else if (field === 'event') type = value;
    else if (field === 'id') id = value;
  }
}
