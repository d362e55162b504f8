export type { RequestSlots } from './host-slots.ts';
export { createHttpFetch } from './http-fetch.ts';
export { httpFetchDefaults, httpFetchVariables } from './settings.ts';
export type { HttpFetchSettings } from './settings.ts';
export { maximumUrlLength } from './target.ts';
