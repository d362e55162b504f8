import { AsyncLocalStorage } from 'node:async_hooks';
import type { IncomingMessage } from 'node:http';
import type { Actor, AuditRecord, ItemId } from '#core';

/** One request or command that may change something, as far as it is known. */
export class ChangeInProgress {
  readonly about: Pick<AuditRecord, 'via' | 'address' | 'request'>;
  operation = '';
  /** Whether it changes items alone, each of which is stored with who has changed it. */
  isEdit = false;
  /** Undefined while it is unknown who requests it. */
  actor: Actor | undefined;
  collection: string | undefined;
  subject: AuditRecord['subject'];
  /** The id of the entry that says that it was begun. */
  begun: string | undefined;
  /** The rule that it broke. */
  problem: string | undefined;
  readonly #items = new Set<ItemId>();
  #revision: AuditRecord['revision'];

  constructor(about: Pick<AuditRecord, 'via' | 'address' | 'request'>) {
    this.about = about;
  }

  /** Whether something of it is stored. */
  get hasWritten(): boolean {
    return this.#items.size > 0;
  }

  /** Notes that an item was written. */
  noteItem(id: ItemId, before: number, after: number): void {
    if (this.#items.size === 0) {
      this.#revision = { ...(before > 0 && { before }), after };
      this.subject ??= { kind: 'item', id };
    } else if (this.#items.has(id) && this.#items.size === 1) this.#revision = { ...this.#revision, after };
    this.#items.add(id);
  }

  /** What an entry says of it, but for its outcome. */
  record(): Omit<AuditRecord, 'outcome'> {
    const { about, operation, actor, collection, subject, begun, problem } = this;
    const items = this.#items.size;
    return {
      ...about,
      operation,
      ...(actor && { actor }),
      ...(collection !== undefined && { collection }),
      ...(subject && { subject }),
      ...(this.#revision && { revision: this.#revision }),
      ...(items > 1 && { items }),
      ...(begun !== undefined && { begun }),
      ...(problem !== undefined && { problem }),
    };
  }
}

const current = new AsyncLocalStorage<ChangeInProgress>();
const requested = new WeakMap<IncomingMessage, ChangeInProgress>();

/** Runs work, and all that it starts, as a part of a change. */
export function runChange<Result>(change: ChangeInProgress, work: () => Result): Result {
  return current.run(change, work);
}

/** The change that this code is a part of; undefined if changes are not audited. */
export function currentChange(): ChangeInProgress | undefined {
  return current.getStore();
}

/** Who makes the change that this code is a part of, to be stored with each edit; undefined as above. */
export function currentActor(): Actor | undefined {
  return current.getStore()?.actor;
}

/** Notes what the change that this code is a part of has made. */
export function noteSubject(kind: string, id: string): void {
  const change = current.getStore();
  if (change !== undefined) change.subject = { kind, id };
}

/** Notes whose the change is that this code is a part of: a collection, or `acme.*` for those of a tenant. */
export function noteCollection(collection: string): void {
  const change = current.getStore();
  if (change !== undefined) change.collection ??= collection;
}

/** Records the change that a request may make. */
export function setChange(request: IncomingMessage, change: ChangeInProgress): void {
  requested.set(request, change);
}

/** The change that a request may make; undefined if it makes none, or changes are not audited. */
export function changeOf(request: IncomingMessage): ChangeInProgress | undefined {
  return requested.get(request);
}
