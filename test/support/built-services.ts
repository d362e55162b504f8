import { resolve } from 'node:path';
import { nodeOptions, services } from '../../apps/standalone/src/service.ts';
import type { Service } from '../../apps/standalone/src/service.ts';

/** The four services as `npm test` has built them; the tests themselves run from the sources. */
export const builtServices: readonly Service[] = services.map((service) => ({
  ...service,
  command: [process.execPath, ...nodeOptions, resolve(`dist/apps/${service.name}/src/main.js`)],
}));
