import type { ChangeEvent } from '#contracts';

const texts = new WeakMap<ChangeEvent, string>();

/**
 * Returns a change event as JSON, which is what it is to the world. It is made once for each event: a
 * publisher measures it, keeps it in the log and relays it.
 */
export function eventText(event: ChangeEvent): string {
  let text = texts.get(event);
  if (text === undefined) {
    text = JSON.stringify(event);
    texts.set(event, text);
  }
  return text;
}

/** The first of the texts, up to the one with which they have this many bytes. */
export function firstBytes(texts: readonly string[], bytes: number): string[] {
  let read = 0;
  const last = texts.findIndex((text) => (read += Buffer.byteLength(text)) >= bytes);
  return last === -1 ? [...texts] : texts.slice(0, last + 1);
}
