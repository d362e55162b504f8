import { readFileSync } from 'node:fs';

/** Seconds in a tick of /proc. */
const tick = 0.01;

/**
 * The processor time, user and system, that each process has taken so far, in seconds; 0 if the system does
 * not tell.
 * @param processes pids by name
 */
export function processorTimes(processes: Readonly<Record<string, number>>): Record<string, number> {
  return Object.fromEntries(Object.entries(processes).map(([name, pid]) => [name, processorTimeOf(pid)]));
}

/** What each process has taken since `before`, in seconds. */
export function processorTimeSince(
  before: Readonly<Record<string, number>>,
  processes: Readonly<Record<string, number>>,
): Record<string, number> {
  return Object.fromEntries(
    Object.entries(processorTimes(processes)).map(([name, time]) => [name, time - (before[name] ?? 0)]),
  );
}

/** The highest resident set of a process so far, in MB; 0 if the system does not report it. */
export function peakMegabytes(pid: number): number {
  return Number(/^VmHWM:\s+(\d+) kB/m.exec(read(`/proc/${pid}/status`))?.[1] ?? 0) / 1024;
}

/** User and system time are the 14th and 15th field; the second one, in brackets, may hold spaces. */
function processorTimeOf(pid: number): number {
  const [user = 0, system = 0] =
    read(`/proc/${pid}/stat`).split(') ')[1]?.split(' ').slice(11, 13).map(Number) ?? [];
  return (user + system) * tick;
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
