import type { Connection } from 'mongoose';
import { noPrimaryReason } from './outage-reason.ts';
import type { ServerState } from './outage-reason.ts';

interface Topology {
  readonly newDescription: {
    readonly servers: ReadonlyMap<string, ServerState>;
    readonly setName: string | null;
  };
}

/** What takes writes: a primary, a router of a sharded cluster, a server behind a load balancer. */
const writable: ReadonlySet<string> = new Set(['RSPrimary', 'Mongos', 'Standalone', 'LoadBalancer']);

/** Watches the servers of an open connection; the result says why none takes writes at the moment. */
export function watchServers(connection: Connection): () => string | undefined {
  let reason: string | undefined;
  connection.getClient().on('topologyDescriptionChanged', ({ newDescription }: Topology) => {
    const { servers, setName } = newDescription;
    const takesWrites = [...servers.values()].some(({ type }) => writable.has(type));
    reason = takesWrites ? undefined : noPrimaryReason(servers, setName);
  });
  return () => reason;
}
