import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { threadTime } from '../growth/thread-time.ts';

/**
 * Loaded into a service before it starts. Writes how long its event loop was blocked, in milliseconds of
 * processor time, a line for each time: between two turns of a timer that is due every millisecond, the
 * thread has worked for so long without looking at anything else.
 */
const folder = process.env['LONGEST_BLOCK_FOLDER'] ?? '.';
const service = /(\w+)\/src\/main\.js$/.exec(process.argv[1] ?? '')?.[1] ?? 'unknown';
const file = join(folder, service);

/** Shorter ones are not written, in milliseconds. */
const shortest = 10;

let before = threadTime();
setInterval(() => {
  const now = threadTime();
  if (now - before >= shortest) appendFileSync(file, `${(now - before).toFixed(1)}\n`);
  before = threadTime();
}, 1).unref();
