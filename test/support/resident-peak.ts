import { readFileSync } from 'node:fs';

/**
 * The most memory of a process so far, in bytes, as Linux reports it; 0 for a process that has ended.
 */
export function residentPeak(pid: number): number {
  try {
    return Number(/^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}
