import { replaced } from './replaced.ts';

/** A port if something else happens just before a call of a method, the first unless said otherwise. */
export function raced<Port extends object>(
  port: Port,
  method: keyof Port,
  meanwhile: () => Promise<unknown>,
  at = 1,
): Port {
  let calls = 0;
  const call = (port[method] as (...asked: unknown[]) => unknown).bind(port);
  const waiting = async (...asked: unknown[]): Promise<unknown> => {
    calls += 1;
    if (calls === at) await meanwhile();
    return call(...asked);
  };
  return replaced(port, method, waiting as Port[keyof Port]);
}
