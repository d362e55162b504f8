import type { DeadLetterView } from '#contracts';
import { nameOf } from '#core';
import type { DeadLetter } from '#core';

/** A dead letter as it is shown. */
export function letterView(letter: DeadLetter): DeadLetterView {
  return { ...letter, collection: nameOf(letter.collection), at: letter.at.toISOString() };
}
