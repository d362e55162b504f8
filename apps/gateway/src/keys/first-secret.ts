import type { GatewayPorts } from '../gateway-ports.ts';
import { ProblemError } from '../problems/problem-error.ts';

/** The secret under which new keys are kept. Throws `ProblemError` 409 if there is none. */
export function firstSecret({ AUTH_SECRETS }: GatewayPorts['configuration']): Uint8Array {
  const secret = AUTH_SECRETS?.[0];
  if (secret === undefined)
    throw new ProblemError(
      409,
      'keys-unavailable',
      'Keys are kept as digests under a secret of the installation, and there is none (setting ' +
        'AUTH_SECRETS).',
    );
  return secret;
}
