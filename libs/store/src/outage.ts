import { types } from 'node:util';
import mongoose from 'mongoose';

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

/** Whether an error says that MongoDB is away or takes no writes; any other is the operation's own. */
export function isOutage(thrown: unknown): boolean {
  const error = driverError(thrown);
  if (isNetworkFault(error) || connectionErrors.some((kind) => error instanceof kind)) return true;
  if (!(error instanceof mongo.MongoError)) return false;
  if (error instanceof mongo.MongoBulkWriteError && error.result.getWriteConcernError()) return true;
  return (
    error.name === waitQueueTimeout ||
    outageCodes.has(error.code) ||
    outageLabels.some((label) => error.hasErrorLabel(label))
  );
}

/** The error itself: a bulk wraps what kept it from being sent or answered. */
function driverError(error: unknown): unknown {
  const wrapped: unknown = error instanceof mongo.MongoBulkWriteError ? error.errorResponse : undefined;
  return types.isNativeError(wrapped) ? wrapped : error;
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
];

/** The driver keeps this class to itself: no connection of the pool became free in time. */
const waitQueueTimeout = 'MongoWaitQueueTimeoutError';

/** What the driver knows of one server. */
export interface ServerState {
  readonly address: string;
  readonly type: string;
  readonly error?: { readonly message: string } | null;
}

/** MongoDB's code for a write that is stored, but not by a majority in time. */
const writeConcernTimeout = 64;

/** Why MongoDB is not available: the driver's message, or the state of each server if none was selected. */
export function outageReason(thrown: unknown): string {
  const error = driverError(thrown);
  if (!types.isNativeError(error)) return String(error);
  const { reason } = error as { reason?: { servers?: ReadonlyMap<string, ServerState> } };
  if (reason?.servers !== undefined && reason.servers.size > 0) return noPrimaryReason(reason.servers);
  if ((error as { code?: unknown }).code === writeConcernTimeout)
    return `no majority of the replica set confirms writes: ${error.message}`;
  return error.message;
}

/** That no server takes writes, and what each of them is instead. */
export function noPrimaryReason(servers: ReadonlyMap<string, ServerState>): string {
  return `no server takes writes: ${Array.from(servers.values(), stateOf).join(', ')}`;
}

function stateOf({ address, type, error }: ServerState): string {
  return `${address} is ${type}${error ? ` (${error.message})` : ''}`;
}
