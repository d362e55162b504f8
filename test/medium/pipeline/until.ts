export { until } from '../../support/until.ts';
