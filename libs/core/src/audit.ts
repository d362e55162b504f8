/** Who did something, without anything that they were recognised by. */
export interface Actor {
  /** Such as `key`, `token` or `anyone`. */
  readonly kind: string;
  readonly id: string;
  /** For people. */
  readonly name?: string;
  /** The subject of the client certificate that stood for the key. */
  readonly subject?: string;
}

/** The entry that a chain of the audit log had reached. */
export interface ChainHead {
  readonly chain: string;
  readonly sequence: number;
  readonly hash: string;
  /** RFC 3339. */
  readonly at: string;
}

/** What an entry of the audit log says. Times are texts of RFC 3339, because they are hashed. */
export interface AuditRecord {
  /**
   * `begun` is said before a change that is no edit of an item, and names nothing of how it ended; `refused`
   * that nothing was changed; `failed` that it is unknown; `link` names the heads of other chains.
   */
  readonly outcome: 'begun' | 'done' | 'refused' | 'failed' | 'link';
  /** The name of an operation, or `command` and that of a command. */
  readonly operation?: string;
  readonly actor?: Actor;
  /** The IP address that a request came from. */
  readonly address?: string;
  /** What the change came by: HTTP, the queue `commands`, or a program that writes to MongoDB directly. */
  readonly via?: 'http' | 'queue' | 'database';
  /** The `X-Request-Id`. */
  readonly request?: string;
  readonly collection?: string;
  /** What was changed: an item, a key, a subscription and so on. */
  readonly subject?: { readonly kind: string; readonly id: string };
  /** Of the item, or of the first of several. */
  readonly revision?: { readonly before?: number; readonly after: number };
  /** How many items were changed, if there were several. */
  readonly items?: number;
  /** The status of the response. */
  readonly status?: number;
  /** The rule that a refused request broke. */
  readonly problem?: string;
  /** The id of the entry that says that it was begun. */
  readonly begun?: string;
  /** How many refusals this entry stands for, and since when. */
  readonly count?: number;
  readonly since?: string;
  /** Of a link: the heads of other chains, and for how many days entries are kept. */
  readonly heads?: readonly ChainHead[];
  readonly keptDays?: number;
}

/** An entry of the audit log: a link of a chain, which one process writes. */
export interface AuditEntry extends AuditRecord {
  /** Sorts by time; within a chain in its order. */
  readonly id: string;
  readonly chain: string;
  /** Its place in the chain, from 0. */
  readonly sequence: number;
  readonly at: string;
  /** The entry before it in the chain; absent of the first one. */
  readonly former?: { readonly hash: string; readonly at: string };
  /** The SHA-256 of all the rest (base64url). */
  readonly hash: string;
}

/** Which entries are listed. */
export interface AuditFilter {
  readonly collection?: string;
  /** Those about collections of a tenant. */
  readonly tenant?: string;
  /** The id of an actor. */
  readonly actor?: string;
  readonly operation?: string;
  readonly outcome?: AuditRecord['outcome'];
  readonly request?: string;
  /** Those at this time or later. */
  readonly since?: Date;
  /** Those before this time. */
  readonly until?: Date;
}

/** The audit log. Nothing in it is changed, and only the oldest entries are removed. */
export interface AuditStore {
  /**
   * Adds entries of one chain, in their order. They are on a majority and in the journal when this returns;
   * if it throws, those that are stored are the first ones.
   */
  append(entries: readonly AuditEntry[]): Promise<void>;
  /** In ascending order of id, those after one. */
  list(page: AuditFilter & { readonly after?: string; readonly limit: number }): Promise<AuditEntry[]>;
  /** The last entry of each chain, that of the latest one first, at most `limit`. */
  heads(limit: number): Promise<AuditEntry[]>;
  /** Removes what is older, the oldest entries first. */
  removeBefore(at: Date): Promise<void>;
}

/** What the ids of entries at a time, and no earlier ones, begin with or come after. */
export function auditIdAt(at: Date): string {
  return Math.max(0, at.getTime()).toString(16).padStart(12, '0');
}
