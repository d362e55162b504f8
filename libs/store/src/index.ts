export { connectStore, openStore } from './open-store.ts';
export type { ConnectingStore, OpenStore } from './open-store.ts';
export type { SchemaReport } from './schema-examination.ts';
export type { SchemaFinding } from './schema-finding.ts';
export { StoreAddressError } from './store-address-error.ts';
export { StoreUnavailableError } from './store-unavailable-error.ts';
export { traceWrites } from './write-trace.ts';
