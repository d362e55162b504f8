import { lookup as systemLookup } from 'node:dns';
import { isIP } from 'node:net';
import type { LookupFunction } from 'node:net';
import { buildConnector } from 'undici';
import type { AddressGuard } from './address-guard.ts';

/**
 * How undici dials: a literal is checked before, a name's addresses when they are looked up (one bad address
 * refuses the name), and the connected socket once more. The socket goes to the very addresses that were
 * checked, so a name that changes in between (DNS rebinding) gains nothing.
 */
export function guardedConnect(
  guard: AddressGuard,
  connectSeconds: number,
  lookup: LookupFunction = systemLookup,
): buildConnector.connector {
  const dial = buildConnector({ timeout: connectSeconds * 1000, lookup: guardedLookup(guard, lookup) });
  return (options, callback) => {
    const host = options.hostname;
    try {
      if (isIP(host) !== 0) guard.check(host, host);
    } catch (error) {
      callback(error as Error, null);
      return;
    }
    dial(options, (error, socket) => {
      if (error !== null) {
        callback(error, null);
        return;
      }
      try {
        guard.check(socket.remoteAddress ?? '', host);
      } catch (refusal) {
        socket.destroy();
        callback(refusal as Error, null);
        return;
      }
      callback(null, socket);
    });
  };
}

function guardedLookup(guard: AddressGuard, lookup: LookupFunction): LookupFunction {
  return (host, options, callback) => {
    lookup(host, { ...options, all: true }, (error, found) => {
      if (error !== null) {
        callback(error, []);
        return;
      }
      const addresses = Array.isArray(found) ? found : [{ address: found, family: isIP(found) }];
      try {
        for (const { address } of addresses) guard.check(address, host);
      } catch (refusal) {
        callback(refusal as Error, []);
        return;
      }
      const first = addresses[0];
      if (options.all === true || first === undefined) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };
}
