export { eventDelay, requestSeconds } from './instruments.ts';
export { measuredStore } from './measured-store.ts';
export { metricsText, metricsType } from './metrics-text.ts';
