import type { GatewayPorts } from '../gateway-ports.ts';
import { noSuchLetter } from './no-such-letter.ts';

/** Removes a dead letter with what is in it. Throws `ProblemError` 404 for no such letter. */
export async function discard({ store }: GatewayPorts, id: string): Promise<void> {
  if (!(await store.deadLetters.remove(id))) throw noSuchLetter(id);
}
