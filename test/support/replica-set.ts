import mongoose from 'mongoose';
import { attemptLimit, Mongod } from './mongod.ts';
import { until } from './until.ts';

/** Members of one replica set, on loopback. */
export interface ReplicaSet {
  readonly members: readonly Mongod[];
  /** The address of the set, and of a database in it. */
  uri(database: string): string;
  /** The member that takes writes; waits for one. */
  primary(): Promise<Mongod>;
  /** Lets a member copy what the primary writes, or keeps it from that. */
  copies(member: Mongod, mayCopy: boolean): Promise<void>;
  /** Waits until a member has all that the primary has written by now. */
  catchesUp(member: Mongod): Promise<void>;
  /** Lets a member be elected, or keeps it from that. It must respond, sooner or later. */
  stands(member: Mongod, mayStand: boolean): Promise<void>;
  end(): Promise<void>;
}

/** Milliseconds without a primary after which another is elected; MongoDB's default is 10,000. */
const electionTimeout = 2000;

/** Milliseconds between the members' questions after each other; MongoDB's default is 2000. */
const heartbeat = 400;

/** How a member notices soon that the one that it copies from hangs; by default that takes 17 seconds. */
const impatient = ['oplogNetworkTimeoutBufferSeconds=1', 'oplogFetcherSteadyStateMaxFetcherRestarts=0'];

/** What a primary says that is to be kept from its election. */
const notSecondary = 95;

const name = 'three';

/** Lets a test stop what a member copies. */
const stoppable = ['enableTestCommands=1'];

/** Starts a replica set of three that elects soon, and waits for its primary. */
export async function startReplicaSet(): Promise<ReplicaSet> {
  const options = [
    '--replSet',
    name,
    ...[...impatient, ...stoppable].flatMap((parameter) => ['--setParameter', parameter]),
  ];
  const members = await Promise.all([1, 2, 3].map(() => Mongod.start(options)));
  const primary = (): Promise<Mongod> => primaryOf(members);
  const set: ReplicaSet = {
    members,
    uri: (database) => `mongodb://${members.map(({ host }) => host).join()}/${database}?replicaSet=${name}`,
    primary,
    async stands(member, mayStand) {
      await until(() =>
        member.command({ replSetFreeze: mayStand ? 0 : 3600 }).then(
          () => true,
          // A response that came too late may have let it become the primary, which nothing shows.
          (error: unknown) => error instanceof mongoose.mongo.MongoServerError && error.code === notSecondary,
        ),
      );
    },
    async copies(member, mayCopy) {
      await member.command({ configureFailPoint: 'stopReplProducer', mode: mayCopy ? 'off' : 'alwaysOn' });
    },
    async catchesUp(member) {
      const written = await appliedBy(await primary());
      await until(
        () => appliedBy(member),
        (applied) => applied.greaterThanOrEqual(written),
      );
    },
    async end() {
      await Promise.all(members.map((member) => member.end()));
    },
  };
  try {
    await members[0]?.command({
      replSetInitiate: {
        _id: name,
        members: members.map(({ host }, _id) => ({ _id, host })),
        settings: { electionTimeoutMillis: electionTimeout, heartbeatIntervalMillis: heartbeat },
      },
    });
    await primary();
    return set;
  } catch (error) {
    await set.end();
    throw error;
  }
}

/** The time of the last operation that a member has applied. */
async function appliedBy(member: Mongod): Promise<mongoose.mongo.Timestamp> {
  const { optimes } = (await member.command({ replSetGetStatus: 1 })) as {
    optimes: { appliedOpTime: { ts: mongoose.mongo.Timestamp } };
  };
  return optimes.appliedOpTime.ts;
}

function primaryOf(members: readonly Mongod[]): Promise<Mongod> {
  return until(async () => {
    for (const member of members) {
      const hello = await member.command({ hello: 1 }, { limit: attemptLimit }).catch(() => undefined);
      if (hello?.['isWritablePrimary'] === true) return member;
    }
    return undefined;
  });
}
