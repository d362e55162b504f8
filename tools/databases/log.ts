/** Where the launcher says what it does, one line a call. */
export type Log = (line: string) => void;

/** The log for what a user need not know: it writes only with `LOG_LEVEL=debug` or `trace`. */
export function debugLog({ LOG_LEVEL }: NodeJS.ProcessEnv, log: Log): Log {
  return LOG_LEVEL === 'debug' || LOG_LEVEL === 'trace' ? log : () => {};
}
