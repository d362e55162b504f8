export { openStore } from './open-store.ts';
export type { OpenStore, StoreOptions } from './open-store.ts';
export { StoreUnavailableError } from './store-unavailable-error.ts';
