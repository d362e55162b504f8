import { Logger } from '@nestjs/common';
import type { BeforeApplicationShutdown } from '@nestjs/common';
import type { Actor, AuditLog, AuditRecord, Clock } from '#core';
import type { ProblemRule } from '#contracts';
import { ProblemError } from '../problems/problem-error.ts';
import type { ChangeInProgress } from './change-in-progress.ts';
import type { Refusals } from './refusals.ts';

/** How many entries that could not be written are kept in memory, to be written later. */
const lateEntries = 1000;

/**
 * Enters every change in the audit log: before it is made that it begins, unless it is an edit of items, and
 * before its response how it ended.
 */
export class AuditTrail implements BeforeApplicationShutdown {
  readonly isOn: boolean;
  readonly #log: AuditLog;
  readonly #refusals: Refusals;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #logger = new Logger(AuditTrail.name);
  #late: AuditRecord[] = [];

  constructor(isOn: boolean, log: AuditLog, refusals: Refusals, clock: Pick<Clock, 'now'>) {
    this.isOn = isOn;
    this.#log = log;
    this.#refusals = refusals;
    this.#clock = clock;
  }

  /**
   * Enters that a permitted change begins; of an edit of items, which are stored with their editor, makes
   * sure that it can be entered. Throws `ProblemError` 503 if that can't be written: then nothing is changed.
   */
  async begin(change: ChangeInProgress): Promise<void> {
    try {
      if (change.isEdit) await this.#log.ready();
      else change.begun = await this.#log.record({ ...change.record(), outcome: 'begun' });
    } catch (error) {
      this.#logger.warn(`the audit log can't be written: ${String(error)}`);
      throw new ProblemError(503, 'unavailable', "The audit log can't be written. Nothing was changed.");
    }
  }

  /**
   * Enters how a change ended, by the status of its response. Returns false if that can't be written now, and
   * something may have been changed; the entry is then written later, if the process lives.
   */
  async end(change: ChangeInProgress, status: number): Promise<boolean> {
    const record = { ...change.record(), outcome: outcomeOf(status), status };
    const isHarmless = record.outcome === 'refused' && change.begun === undefined && !change.hasWritten;
    if (isHarmless && !this.#refusals.isEntered(record, this.#clock.now())) return true;
    try {
      await this.#log.record(record);
      return true;
    } catch (error) {
      this.#logger.warn(`the audit log can't be written: ${String(error)}`);
      this.#keep({ ...record, since: this.#clock.now().toISOString() });
      return record.outcome !== 'done';
    }
  }

  /**
   * Counts a request of a known caller that is refused before anything is known of what it changes. Returns
   * false if the refusal gets an entry of its own, which tells of that.
   */
  countRefusal(actor: Actor, status: number, problem: ProblemRule): boolean {
    return this.#refusals.count(actor, { via: 'http', status, problem }, this.#clock.now());
  }

  /** Enters the refusals that were counted, and what could not be entered before; called each minute. */
  async flush(): Promise<void> {
    const records = [...this.#late, ...this.#refusals.take()];
    this.#late = [];
    const outcomes = await Promise.allSettled(records.map((record) => this.#log.record(record)));
    for (const [place, record] of records.entries())
      if (outcomes[place]?.status === 'rejected') this.#keep(record);
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.flush();
  }

  #keep(record: AuditRecord): void {
    if (this.#late.length < lateEntries) this.#late.push(record);
  }
}

function outcomeOf(status: number): AuditRecord['outcome'] {
  if (status < 400) return 'done';
  return status < 500 ? 'refused' : 'failed';
}
