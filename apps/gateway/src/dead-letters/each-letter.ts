import type { z } from 'zod';
import type { deadLettersQuery } from '#contracts';
import { collectionKey } from '#core';
import type { DeadLetter } from '#core';
import type { GatewayPorts } from '../gateway-ports.ts';
import { cursorOf, readPage } from '../pages/page.ts';

type DeadLettersQuery = z.infer<typeof deadLettersQuery>;

/** For how many milliseconds one request goes on with the next letter. */
const longest = 10_000;

/** One page of the dead letters that a query is for, in ascending order of id. */
export function readLetters(
  { store, reads, configuration }: GatewayPorts,
  { collection, rule, ...query }: DeadLettersQuery,
): ReturnType<typeof readPage<DeadLetter>> {
  const filter = {
    ...(collection !== undefined && { collection: collectionKey(collection) }),
    ...(rule !== undefined && { rule }),
  };
  return readPage(
    query,
    { reads, configuration },
    (wanted) => store.deadLetters.list({ ...wanted, ...filter }),
    ({ id }) => id,
  );
}

/**
 * Does something with each dead letter of a page, for ten seconds at most. Returns the cursor of those that
 * are left, if there may be any. Throws as `readPage` and `work` do.
 */
export async function eachLetter(
  ports: GatewayPorts,
  query: DeadLettersQuery,
  work: (letter: DeadLetter) => Promise<void>,
): Promise<{ readonly next?: string }> {
  const end = ports.clock.now().getTime() + longest;
  const { items, next } = await readLetters(ports, query);
  for (const [place, letter] of items.entries()) {
    await work(letter);
    const isLast = place === items.length - 1;
    if (!isLast && ports.clock.now().getTime() >= end) return { next: cursorOf(letter.id) };
  }
  return next === undefined ? {} : { next };
}
