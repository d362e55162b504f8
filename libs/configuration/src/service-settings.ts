import { z } from 'zod';
import { wholeNumber } from './setting-kinds.ts';

const port = (): z.ZodType<number, string> => wholeNumber(0, 65_535);

/** What every service reads from its environment. A service with settings of its own extends this. */
export const serviceSettings = z.object({
  REDIS_URL: z.string().regex(/^rediss?:\/\/\S+$/, 'must be a URL such as redis://host:6379').default('redis://127.0.0.1:6379')
    .describe('Redis, the transport between the services'),
  MONGODB_URI: z.string().regex(/^mongodb(\+srv)?:\/\/\S+$/, 'must be a URI such as mongodb://host:27017/feedmesh').default('mongodb://127.0.0.1:27017/feedmesh?directConnection=true')
    .describe('MongoDB, where everything is kept'),
  HOST: z.string().default('127.0.0.1').describe('The address that a service listens on'),
  PORT: port().default(8080).describe('The port of the gateway'),
  HEALTH_PORT: port().default(8081).describe('The port of the health pages of a service other than the gateway; 0 for any free one'),
  PUBLIC_URL: z.string().regex(/^https?:\/\/[^\s?#]+$/, 'must be an http or https URL without query').transform((url) => url.replace(/\/+$/, '')).optional()
    .describe('The address that others reach the gateway at; http://127.0.0.1:PORT where it is not set'),
  FEEDMESH_DATA: z.string().default('.feedmesh').describe('The folder for data of this machine'),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], 'must be fatal, error, warn, info, debug, trace or silent').default('info')
    .describe('The least important records to write'),
});

/** The address that others reach the gateway at, without a slash at its end. */
export function publicUrl({ PUBLIC_URL, PORT }: Pick<z.output<typeof serviceSettings>, 'PUBLIC_URL' | 'PORT'>): string {
  return PUBLIC_URL ?? `http://127.0.0.1:${PORT}`;
}
