import { z } from 'zod';
import { isAccessLimited } from './access-settings.ts';
import { readConfiguration } from './configuration.ts';
import { wholeNumber } from './setting-kinds.ts';

/** What the gateway keeps of who changed what. */
export const auditSettings = {
  AUDIT: z
    .enum(['on', 'off'], 'must be on or off')
    .optional()
    .describe(
      'Whether every change has entries in the audit log, and is refused if they can not be written. If it ' +
        'is not set, `on` where requests need a key, else `off`',
    ),
  AUDIT_DAYS: wholeNumber(1, 36_500).default(90).describe('Days for which entries of the audit log are kept'),
  AUDIT_REFUSALS: wholeNumber(1, 100_000)
    .default(60)
    .describe(
      'Refused changes of one caller that one gateway enters one by one in a minute, and addresses of ' +
        'unknown callers that it tells apart; the others are counted together',
    ),
};

type AuditConfiguration = Parameters<typeof isAccessLimited>[0] & {
  readonly AUDIT?: 'on' | 'off' | undefined;
};

/** Whether changes are entered in the audit log. */
export function isAudited(configuration: AuditConfiguration): boolean {
  return (configuration.AUDIT ?? (isAccessLimited(configuration) ? 'on' : 'off')) === 'on';
}

/**
 * For how many days what a program does that writes to MongoDB directly is kept in the audit log; undefined
 * if it is not entered. Throws `ConfigurationError`.
 */
export function auditDaysOf(environment: Readonly<Record<string, string | undefined>>): number | undefined {
  const { AUDIT, AUDIT_DAYS } = readConfiguration(z.object(auditSettings), environment);
  return AUDIT === 'off' ? undefined : AUDIT_DAYS;
}
