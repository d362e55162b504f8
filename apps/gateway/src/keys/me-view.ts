import type { MeView } from '#contracts';
import type { Principal } from '../access/principal.ts';
import { tenantOfGrants } from '../quota/payer.ts';

/** The sender of a request as it is shown to them. */
export function meView({ kind, id, name, subject, grants, expiresAt }: Principal): MeView {
  const tenant = tenantOfGrants(grants);
  return {
    kind,
    id,
    name,
    ...(subject !== undefined && { subject }),
    ...(tenant !== undefined && { tenant }),
    grants,
    ...(expiresAt && { expiresAt: expiresAt.toISOString() }),
  };
}
