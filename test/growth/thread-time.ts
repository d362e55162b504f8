import { openSync, readSync } from 'node:fs';

const buffer = Buffer.alloc(64);
const file = openThread();

function openThread(): number | undefined {
  try {
    return openSync('/proc/thread-self/schedstat', 'r');
  } catch {
    return undefined;
  }
}

/**
 * The processor time that the main thread has taken so far, in milliseconds, whatever other threads and
 * processes do. Where the system does not tell, that of the whole process.
 */
export function threadTime(): number {
  if (file === undefined) {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  }
  // Has the kernel count up to now: the file alone is as exact as its clock ticks.
  process.cpuUsage();
  const length = readSync(file, buffer, 0, buffer.length, 0);
  const text = buffer.toString('latin1', 0, length);
  return Number(text.slice(0, text.indexOf(' '))) / 1e6;
}
