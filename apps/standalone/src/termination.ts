/**
 * Aborts when this process is asked to end. A second Ctrl-C changes nothing: npm passes the first one on
 * again.
 */
export function terminationSignal(): AbortSignal {
  const controller = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => controller.abort());
  return controller.signal;
}

/** One line on stderr. */
export function logToStderr(line: string): void {
  process.stderr.write(`[feedmesh] ${line}\n`);
}
