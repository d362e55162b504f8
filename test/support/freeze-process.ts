import type { ChildProcess } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { until } from './until.ts';

/** Sends SIGSTOP, and waits until every thread of the process has stopped (as far as Linux reports). */
export async function freezeProcess(child: ChildProcess): Promise<void> {
  child.kill('SIGSTOP');
  const tasks = `/proc/${child.pid}/task`;
  if (process.platform !== 'linux') return;
  await until(() => readdirSync(tasks).every((task) => isStopped(`${tasks}/${task}/stat`)));
}

function isStopped(file: string): boolean {
  try {
    const stat = readFileSync(file, 'utf8');
    return stat[stat.lastIndexOf(')') + 2] === 'T';
  } catch {
    // The thread has ended.
    return true;
  }
}
