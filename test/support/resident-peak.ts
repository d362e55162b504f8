import { readFileSync } from 'node:fs';

/**
 * The most memory that a process has had so far, in bytes, as Linux tells it; 0 for a process that has ended.
 */
export function residentPeak(pid: number): number {
  try {
    return Number(/^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}
