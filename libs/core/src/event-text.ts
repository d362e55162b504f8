import type { ChangeEvent } from '#contracts';

const texts = new WeakMap<ChangeEvent, string>();

/**
 * Returns a change event as JSON, which is what it is to the world. It is made once for each event: a
 * writer measures it and keeps it in the log, and a publisher relays it as it is there.
 */
export function eventText(event: ChangeEvent): string {
  let text = texts.get(event);
  if (text === undefined) {
    text = JSON.stringify(event);
    texts.set(event, text);
  }
  return text;
}

/** Returns the change event of a JSON text, which stays its text. */
export function eventOf(text: string): ChangeEvent {
  const event = JSON.parse(text) as ChangeEvent;
  texts.set(event, text);
  return event;
}

/** The first of the texts, up to the one with which they have this many bytes. */
export function firstBytes(texts: readonly string[], bytes: number): string[] {
  let read = 0;
  const last = texts.findIndex((text) => (read += Buffer.byteLength(text)) >= bytes);
  return last === -1 ? [...texts] : texts.slice(0, last + 1);
}
