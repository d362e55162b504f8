import type { Connection } from 'mongoose';

/**
 * Throws unless the server can confirm what Feedmesh relies on: a lone server has no majority and no writes
 * that may be repeated.
 */
export async function checkServer(connection: Connection): Promise<void> {
  const hello = await connection.db?.admin().command({ hello: 1 });
  if (hello?.['setName'] === undefined && hello?.['msg'] !== 'isdbgrid')
    throw new Error(
      'MONGODB_URI leads to a server that is not a member of a replica set: start it with --replSet, then ' +
        'rs.initiate(); one member is enough',
    );
}
