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
