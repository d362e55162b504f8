export { ConfigurationError, listSettings, readConfiguration } from './configuration.ts';
export type { Setting } from './configuration.ts';
export { publicUrl, serviceSettings } from './service-settings.ts';
export { hostNames, networks, seconds, wholeNumber } from './setting-kinds.ts';
