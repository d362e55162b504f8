import type { Connection } from 'mongoose';
import { currentTrace } from './write-trace.ts';

const writingMethods: ReadonlySet<string> = new Set([
  'insertOne',
  'insertMany',
  'updateOne',
  'updateMany',
  'replaceOne',
  'deleteOne',
  'deleteMany',
  'bulkWrite',
  'findOneAndUpdate',
  'findOneAndReplace',
  'findOneAndDelete',
]);

interface Operation {
  readonly _id: unknown;
  readonly method: string;
  readonly error?: unknown;
}

/**
 * Notes every write in the trace that it runs in. A write that failed was certainly not sent if no
 * operation got a connection of the pool while it ran. Otherwise it may have been: the driver does not say
 * how each attempt failed.
 */
export function watchWrites(connection: Connection): void {
  let checkouts = 0;
  const running = new Map<unknown, number>();
  connection.getClient().on('connectionCheckedOut', () => {
    checkouts += 1;
  });
  connection.on('operation-start', ({ _id, method }: Operation) => {
    if (!writingMethods.has(method)) return;
    running.set(_id, checkouts);
    currentTrace()?.begin();
  });
  connection.on('operation-end', ({ _id, method, error }: Operation) => {
    if (!writingMethods.has(method)) return;
    currentTrace()?.end(error === undefined || checkouts !== running.get(_id));
    running.delete(_id);
  });
}
