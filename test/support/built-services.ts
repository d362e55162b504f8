import { resolve } from 'node:path';
import { servicesIn } from '../../apps/standalone/src/service.ts';

/** The four services as `npm test` has built them; the tests themselves run from the sources. */
export const builtServices = servicesIn(resolve('dist/apps'));
