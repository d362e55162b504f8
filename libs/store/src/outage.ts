import { types } from 'node:util';
import mongoose from 'mongoose';
import { driverError, isRefusal } from './outage-reason.ts';

const { mongo } = mongoose;

/** Codes of MongoDB for a server that can't do now what it could do later. */
const outageCodes: ReadonlySet<unknown> = new Set([
  // The server can't be reached, or is about to stop.
  6, 7, 89, 91, 9001, 11600,
  // It is not the primary, or no longer.
  189, 10058, 10107, 11602, 13435, 13436,
  // A majority did not confirm in time, or can't.
  64, 100, 134,
  // The time for the operation has run out.
  50, 202, 262,
  // Its disk is full.
  14031,
]);

const outageLabels = ['RetryableWriteError', 'SystemOverloadedError', 'ResetPool'];

/**
 * Whether an error says that MongoDB is away, takes no writes or refuses our user; any other is the
 * operation's own.
 */
export function isOutage(thrown: unknown): boolean {
  const error = driverError(thrown);
  if (isNetworkFault(error) || connectionErrors.some((kind) => error instanceof kind)) return true;
  if (!(error instanceof mongo.MongoError)) return false;
  if (isRefusal(error)) return true;
  if (error instanceof mongo.MongoBulkWriteError && error.result.getWriteConcernError()) return true;
  return (
    poolErrors.has(error.name) ||
    outageCodes.has(error.code) ||
    outageLabels.some((label) => error.hasErrorLabel(label))
  );
}

const networkCodes: ReadonlySet<unknown> = new Set([
  'EPIPE',
  'ECONNRESET',
  'ECONNABORTED',
  'ECONNREFUSED',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
]);

/** Whether it is an error of a socket that the driver has passed on as it was. */
function isNetworkFault(error: unknown): boolean {
  return types.isNativeError(error) && networkCodes.has((error as NodeJS.ErrnoException).code);
}

const connectionErrors = [
  mongoose.Error.MongooseServerSelectionError,
  mongo.MongoServerSelectionError,
  mongo.MongoNetworkError,
  mongo.MongoWriteConcernError,
  mongo.MongoNotConnectedError,
  mongo.MongoTopologyClosedError,
  mongo.MongoClientClosedError,
  mongo.MongoServerClosedError,
  // Thrown in place of what ended the first attempt at a write, if its server was lost before the second.
  mongo.MongoUnexpectedServerResponseError,
];

/** The driver keeps these classes to itself: no connection became free in time; its pool was closed. */
const poolErrors: ReadonlySet<string> = new Set(['MongoWaitQueueTimeoutError', 'MongoPoolClosedError']);
