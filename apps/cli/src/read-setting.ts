import { ConfigurationError } from '#service';
import { CommandError, exitCode } from './command-error.ts';
import type { Io } from './io.ts';

/** Reads settings as the services do. Throws CommandError (64) if one is missing or wrong. */
export function readSetting<Value>(
  { environment }: Pick<Io, 'environment'>,
  read: (environment: Io['environment']) => Value,
): Value {
  try {
    return read(environment);
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    throw new CommandError(error.message, exitCode.usage, { cause: error });
  }
}
