import type { ChangesView } from '#contracts';

/** The text of changes that many streams send, for as long as one of them holds these. */
const texts = new WeakMap<ChangesView, Uint8Array>();

/** The changes as server-sent events; the same bytes for the same object. */
export function eventsText(changes: ChangesView): Uint8Array {
  const known = texts.get(changes);
  if (known !== undefined) return known;
  const text = Buffer.from(
    changes.changes
      .map((change) => `id: ${change.sequence}\nevent: ${change.type}\ndata: ${JSON.stringify(change)}\n\n`)
      .join(''),
  );
  texts.set(changes, text);
  return text;
}

/** The changes of several collections as server-sent events: the last one has the cursor of all of them. */
export function allEventsText({ changes, next }: ChangesView): Uint8Array {
  const texts = changes.map((change, place) => {
    const id = place === changes.length - 1 ? `id: ${next}\n` : '';
    return `${id}event: ${change.type}\ndata: ${JSON.stringify(change)}\n\n`;
  });
  return Buffer.from(texts.join(''));
}
