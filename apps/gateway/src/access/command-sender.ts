import type { GatewayConfiguration } from '#service';
import { ProblemError } from '../problems/problem-error.ts';
import type { Authentication } from './authentication.ts';
import { anyone } from './principal.ts';
import type { Principal } from './principal.ts';

/**
 * Returns who sends a command. Throws `ProblemError` 401 if its key is not accepted, or missing where
 * commands need one, and what the store throws.
 */
export async function senderOf(
  authentication: Authentication,
  { AUTH_COMMANDS }: Pick<GatewayConfiguration, 'AUTH_COMMANDS'>,
  key: string | undefined,
): Promise<Principal> {
  if (key !== undefined) return authentication.identifyKey(key);
  if (AUTH_COMMANDS === 'trusted') return anyone;
  throw new ProblemError(401, 'unauthenticated', 'A command has a key in `key` (setting AUTH_COMMANDS).');
}
