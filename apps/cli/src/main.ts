#!/usr/bin/env node
import { run } from './run.ts';

function interruption(): AbortSignal {
  const controller = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => controller.abort());
  return controller.signal;
}

// A reader that has gone shows in the writing; without a listener it would end the process with a stack.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);

const { stdin, stdout, stderr, env } = process;
process.exitCode = await run(process.argv.slice(2), {
  stdin,
  stdout,
  stderr,
  environment: env,
  interruption,
});
