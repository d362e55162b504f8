/** Which entries of the audit log are wanted. */
export interface AuditSelection {
  /** RFC 3339. */
  readonly since?: string;
  readonly until?: string;
  readonly collection?: string;
  readonly actor?: string;
  readonly operation?: string;
  readonly outcome?: string;
  readonly request?: string;
}

/** The path of the audit log, as far as it is wanted. */
export function auditPath(selection: AuditSelection): string {
  const { since, until, collection, actor, operation, outcome, request } = selection;
  const values = { since, until, collection, actor, operation, outcome, request };
  const given = Object.entries(values).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return given.length === 0 ? '/v1/audit' : `/v1/audit?${new URLSearchParams(given).toString()}`;
}
