import { types } from 'node:util';
import mongoose from 'mongoose';

/** What the driver knows of one server. */
export interface ServerState {
  readonly address: string;
  readonly type: string;
  readonly error?: { readonly message: string } | null;
}

/** MongoDB's code for a write that is stored, but not by a majority in time. */
const writeConcernTimeout = 64;

/** MongoDB's codes for a wrong user or password; the second is that of Atlas. */
const authenticationCodes: ReadonlySet<unknown> = new Set([18, 8000]);

/** MongoDB's code for a command that the user may not run. */
const unauthorized = 13;

/** The error itself: a bulk wraps what kept it from being sent or answered. */
export function driverError(error: unknown): unknown {
  const wrapped: unknown =
    error instanceof mongoose.mongo.MongoBulkWriteError ? error.errorResponse : undefined;
  return types.isNativeError(wrapped) ? wrapped : error;
}

/** Whether MongoDB refuses the user, for now: an operator may change the password or the role. */
export function isRefusal(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  return authenticationCodes.has(code) || code === unauthorized;
}

/**
 * Why MongoDB is not available, and which setting is wrong if one is: the driver's message, or the state of
 * each server if none was selected.
 */
export function outageReason(thrown: unknown): string {
  const error = driverError(thrown);
  if (!types.isNativeError(error)) return String(error);
  const { reason, code } = error as { reason?: SelectionFault; code?: unknown };
  if (reason?.servers !== undefined) return noPrimaryReason(reason.servers, reason.setName);
  if (authenticationCodes.has(code))
    return `user or password in MONGODB_URI are wrong, or authSource is missing: ${error.message}`;
  if (code === unauthorized)
    return `the user in MONGODB_URI may not do enough: ${withoutParameters(error.message)}`;
  if (code === writeConcernTimeout) return `no majority of the replica set confirms writes: ${error.message}`;
  if (/^query(?:Srv|Txt) /.test(error.message))
    return `the name in MONGODB_URI (mongodb+srv) can't be resolved: ${error.message}`;
  return error.message;
}

interface SelectionFault {
  readonly servers?: ReadonlyMap<string, ServerState>;
  readonly setName?: string | null;
}

/** That no server takes writes, and what each of them is instead. */
export function noPrimaryReason(servers: ReadonlyMap<string, ServerState>, setName?: string | null): string {
  if (servers.size === 0)
    return `no server of the replica set ${setName ?? ''} was found (replicaSet in MONGODB_URI)`;
  return `no server takes writes: ${Array.from(servers.values(), stateOf).join(', ')}`;
}

const uninitiated = 'a member of a replica set that was not initiated: rs.initiate()';

function stateOf({ address, type, error }: ServerState): string {
  if (type === 'RSGhost') return `${address} is ${uninitiated}`;
  const fault = error?.message;
  return `${address} is ${type}${fault === undefined ? '' : ` (${fault}${hint(fault)})`}`;
}

/** Which setting a fault of TLS is about. */
function hint(fault: string): string {
  if (/self-signed|unable to (?:verify|get)|issuer/.test(fault))
    return '; MONGODB_TLS_CA must name the authority of its certificate';
  if (/altnames/.test(fault)) return '; MONGODB_URI must name it as its certificate does';
  if (/wrong version number|packet length too long/.test(fault))
    return '; MONGODB_URI requests TLS, which it does not speak';
  return '';
}

/** MongoDB quotes the whole command in its message, which may be long and holds data. */
function withoutParameters(message: string): string {
  return message.replace(/(to execute command) \{ (\w+): ("[^"]*"|\S+)[^]*$/, '$1 $2 ($3)');
}
