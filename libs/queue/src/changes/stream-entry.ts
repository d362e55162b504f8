import { changeEvent } from '#contracts';
import type { ChangeEvent } from '#contracts';

/** An entry of the stream; without fields if it was trimmed. */
export type StreamEntry = [id: string, fields: string[] | null];

/** Returns the event of an entry, or undefined if it has none that is valid. */
export function readEvent(fields: string[] | null): ChangeEvent | undefined {
  const at = fields?.indexOf('event') ?? -1;
  try {
    const value: unknown = JSON.parse(fields?.[at + 1] ?? '');
    // The value itself, not what the schema keeps of it: a later version may say more.
    return at >= 0 && changeEvent.safeParse(value).success ? (value as ChangeEvent) : undefined;
  } catch {
    return undefined;
  }
}

/** The collection of an event: the part of its id before the last colon. */
export function collectionOf(event: ChangeEvent): string {
  return event.id.slice(0, event.id.lastIndexOf(':'));
}
