import { createHttpFetch } from '#http-fetch';
import { CommandError, exitCode } from './command-error.ts';

/**
 * Opens the way out to the network, which reaches public addresses and the allowed networks only.
 * @throws CommandError (64) for an allowed network that is none
 */
export function openFetch(
  settings: Parameters<typeof createHttpFetch>[0],
): ReturnType<typeof createHttpFetch> {
  try {
    return createHttpFetch(settings);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new CommandError(`--allow-network: ${error.message.replace(/^[A-Z_]+: /, '')}`, exitCode.usage, {
      cause: error,
    });
  }
}
