import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** One of the processes that make up an instance. */
export interface Service {
  readonly name: string;
  readonly command: readonly [program: string, ...args: string[]];
  /** The setting that tells it where to listen; it responds to `GET /health/ready` there. */
  readonly portVariable: 'PORT' | 'HEALTH_PORT';
}

/**
 * What Node.js is told, as in the image (`deploy/Dockerfile`): how large a half of the young space may be, in
 * MB. Left alone, that depends on the version of Node.js and on the memory of the machine.
 */
export const nodeOptions: readonly string[] = ['--max-semi-space-size=16'];

/** The four services, as they are built. */
export const services = servicesIn(fileURLToPath(new URL('../..', import.meta.url)));

/** The four services in a folder of built programs, such as `dist/apps`. */
export function servicesIn(folder: string): readonly Service[] {
  const service = (name: string, portVariable: Service['portVariable']): Service => ({
    name,
    command: [process.execPath, ...nodeOptions, join(folder, name, 'src/main.js')],
    portVariable,
  });
  return [
    service('fetcher', 'HEALTH_PORT'),
    service('merger', 'HEALTH_PORT'),
    service('publisher', 'HEALTH_PORT'),
    service('gateway', 'PORT'),
  ];
}
