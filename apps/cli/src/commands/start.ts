/**
 * Runs the services and their databases in this very process, so that signals and the exit code are its own:
 * 0 after Ctrl-C, 1 if something could not be started. Does not return. Works in the built program only.
 */
export async function start(): Promise<void> {
  const standalone = new URL('../../../standalone/src/main.js', import.meta.url);
  await import(standalone.href);
}
