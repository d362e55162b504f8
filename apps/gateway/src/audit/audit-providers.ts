import { randomBytes } from 'node:crypto';
import type { LoggerService, Provider } from '@nestjs/common';
import { AuditLog } from '#core';
import type { Store } from '#core';
import { isAudited, openedStore, PeriodicTask, systemClock } from '#service';
import type { GatewayConfiguration } from '#service';
import { traceWrites } from '#store';
import { AuditTrail } from './audit-trail.ts';
import { Refusals } from './refusals.ts';

/** Milliseconds between two entries of counted refusals, two links between chains, and two removals. */
const [refusalPause, linkPause, removalPause] = [60_000, 600_000, 3_600_000];

/** What writes the audit log, links its chains and removes what was kept for long enough. */
export function auditProviders(
  configuration: GatewayConfiguration,
  logger: Pick<LoggerService, 'warn' | 'log'>,
): Provider[] {
  const { AUDIT_DAYS, AUDIT_REFUSALS } = configuration;
  return [
    {
      provide: AuditLog,
      inject: [openedStore],
      useFactory: ({ audit }: Store) =>
        new AuditLog({
          store: {
            // Not in the trace of a request: an entry that is not stored changes nothing of what it tells of.
            append: (entries) => traceWrites(() => audit.append(entries)),
            heads: (limit) => audit.heads(limit),
          },
          now: () => systemClock.now(),
          newChain: () => randomBytes(8).toString('hex'),
          keptDays: AUDIT_DAYS,
        }),
    },
    {
      provide: AuditTrail,
      inject: [AuditLog],
      useFactory: (log: AuditLog) =>
        new AuditTrail(isAudited(configuration), log, new Refusals(AUDIT_REFUSALS), systemClock),
    },
    {
      provide: 'refused changes',
      inject: [AuditTrail],
      useFactory: (trail: AuditTrail) =>
        new PeriodicTask('entering refused changes', refusalPause, () => trail.flush(), logger),
    },
    {
      provide: 'links of the audit log',
      inject: [AuditLog],
      useFactory: (log: AuditLog) =>
        new PeriodicTask('linking the chains of the audit log', linkPause, () => log.link(), logger),
    },
    {
      provide: 'age of the audit log',
      inject: [openedStore],
      useFactory: ({ audit }: Store) =>
        new PeriodicTask(
          'removing old entries of the audit log',
          removalPause,
          () => audit.removeBefore(new Date(systemClock.now().getTime() - AUDIT_DAYS * 86_400_000)),
          logger,
        ),
    },
  ];
}
