import type { mongo } from 'mongoose';

/** By this name MongoDB knows the connections of Feedmesh. */
export const applicationName = 'feedmesh';

/** For how many microseconds nothing has happened in a transaction whose process counts as killed. */
const stalledAfter = 5_000_000;

/**
 * Ends transactions of Feedmesh in which nothing has happened for five seconds. What a process that was
 * killed within one has written stays locked, for all others, until MongoDB itself ends the transaction:
 * after `transactionLifetimeLimitSeconds`, and up to half a minute more. A process that was paused begins its
 * own again.
 */
export async function endStalledTransactions(admin: mongo.Db): Promise<void> {
  const sessions = await admin
    .aggregate<{ lsid: { id: mongo.Binary } }>(
      [
        { $currentOp: { idleSessions: true } },
        {
          $match: {
            type: 'idleSession',
            appName: applicationName,
            'transaction.timeInactiveMicros': { $gt: stalledAfter },
          },
        },
      ],
      { readConcern: { level: 'local' } },
    )
    .toArray();
  const killSessions = sessions.map(({ lsid: { id } }) => ({ id }));
  if (killSessions.length > 0) await admin.command({ killSessions });
}
