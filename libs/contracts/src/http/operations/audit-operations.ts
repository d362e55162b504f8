import { auditEntryExample, auditPage, auditQuery } from '../audit.ts';
import type { Operation } from '../operation.ts';

export const auditOperations = {
  listAudit: {
    method: 'GET',
    path: '/v1/audit',
    needs: 'admin',
    over: 'queried',
    tag: 'audit',
    summary: 'Lists the audit log',
    description:
      'Lists who has changed what, from where and how it ended, in the order of time. As ' +
      '`application/x-ndjson` all entries that the query selects, one a line, whatever its limit and cursor.',
    query: auditQuery,
    responses: {
      200: {
        description: 'A page of entries.',
        json: auditPage,
        texts: { 'application/x-ndjson': `${JSON.stringify(auditEntryExample)}\n` },
      },
    },
    problems: ['too-many-readers'],
  },
} as const satisfies Readonly<Record<string, Operation>>;
