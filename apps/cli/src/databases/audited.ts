import { randomBytes } from 'node:crypto';
import { userInfo } from 'node:os';
import { AuditLog } from '#core';
import type { AuditRecord, Store } from '#core';
import { auditDaysOf } from '#service';
import type { Io } from '../io.ts';
import { readSetting } from '../read-setting.ts';

/** The user of this machine that runs the command line; some have no name. */
function operator(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.() ?? '');
  }
}

/**
 * Changes something in MongoDB directly, and enters in the audit log that it begins, and that it is done,
 * unless AUDIT is off. Throws what the work throws and, before anything is changed, what the store throws;
 * CommandError (64) for a wrong setting.
 * @param work is given what to call with what it changes, if that is not known before
 */
export async function audited<Result>(
  { audit }: Pick<Store, 'audit'>,
  io: Io,
  operation: string,
  work: (name: (subject: AuditRecord['subject']) => void) => Promise<Result>,
): Promise<Result> {
  const keptDays = readSetting(io, auditDaysOf);
  if (keptDays === undefined) return work(() => {});
  const log = new AuditLog({
    store: audit,
    now: () => new Date(),
    newChain: () => randomBytes(8).toString('hex'),
    keptDays,
  });
  const about = { via: 'database', operation, actor: { kind: 'operator', id: operator() } } as const;
  const begun = await log.record({ ...about, outcome: 'begun' });
  let subject: AuditRecord['subject'];
  const end = (outcome: 'done' | 'failed'): Promise<string> =>
    log.record({ ...about, outcome, begun, ...(subject && { subject }) });
  try {
    const result = await work((named) => {
      subject = named;
    });
    await end('done');
    return result;
  } catch (error) {
    await end('failed').catch(() => undefined);
    throw error;
  }
}
