import type { z } from 'zod';
import type { deadLettersQuery, DiscardedLettersView, RetriedLettersView } from '#contracts';
import type { Principal } from '../access/principal.ts';
import type { GatewayPorts } from '../gateway-ports.ts';
import { cut } from '../problems/problem-body.ts';
import { problemOf } from '../problems/problem-of.ts';
import { eachLetter } from './each-letter.ts';
import { retry } from './retry.ts';

type DeadLettersQuery = z.infer<typeof deadLettersQuery>;

/** How long the reason of a refusal is at most. */
const longestDetail = 500;

/** Tries each of these letters again as `retry` does. Throws what is no refusal, such as an outage. */
export async function retryLetters(
  ports: GatewayPorts,
  caller: Principal,
  query: DeadLettersQuery,
): Promise<RetriedLettersView> {
  let retried = 0;
  const refusals: RetriedLettersView['refusals'][number][] = [];
  const rest = await eachLetter(ports, query, async ({ id }) => {
    try {
      await retry(ports, caller, id);
      retried += 1;
    } catch (error) {
      const { status, rule, message } = problemOf(error);
      if (status >= 500) throw error;
      // Somebody else has retried or discarded it meanwhile.
      if (rule !== 'dead-letter-not-found') refusals.push({ id, rule, detail: cut(message, longestDetail) });
    }
  });
  return { retried, refused: refusals.length, refusals, ...rest };
}

/** Removes these letters. */
export async function discardLetters(
  ports: GatewayPorts,
  query: DeadLettersQuery,
): Promise<DiscardedLettersView> {
  let discarded = 0;
  const rest = await eachLetter(ports, query, async ({ id }) => {
    if (await ports.store.deadLetters.remove(id)) discarded += 1;
  });
  return { discarded, ...rest };
}
