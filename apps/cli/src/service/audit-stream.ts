import { auditPath } from './audit-selection.ts';
import type { AuditSelection } from './audit-selection.ts';
import type { Service } from './service.ts';

/**
 * The audit log as it is exported, piece by piece: JSON, one entry a line. Throws as `Service` does, also if
 * nothing comes for as long as one response may take.
 */
export async function* auditStream(service: Service, selection: AuditSelection): AsyncGenerator<Uint8Array> {
  const step = service.stepTimeout();
  try {
    const headers = { accept: 'application/x-ndjson' };
    const response = await service.open(auditPath(selection), { headers, signal: step.signal });
    for await (const piece of response.body ?? []) {
      step.renew();
      yield piece as Uint8Array;
    }
  } catch (error) {
    throw service.failure(error);
  } finally {
    step.end();
  }
}
