export { AuditLog } from './audit-log.ts';
export { LogVerifier } from './log-verifier.ts';
export type { AuditFault } from './log-verifier.ts';
