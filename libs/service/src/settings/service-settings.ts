import { z } from 'zod';
import { mongodbSettings } from './mongodb-settings.ts';
import { redisSettings } from './redis-settings.ts';
import { seconds, wholeNumber } from './setting-kinds.ts';

const port = (): z.ZodType<number, string> => wholeNumber(0, 65_535);

/** What every service reads from its environment. A service with settings of its own extends this. */
export const serviceSettings = z.object({
  ...redisSettings,
  ...mongodbSettings,
  HOST: z.string().default('127.0.0.1').describe('The address that a service listens on'),
  PORT: port().default(8080).describe('The port of the gateway'),
  HEALTH_PORT: port()
    .default(8081)
    .describe('The port of the health pages of a service other than the gateway; 0 for any free one'),
  PUBLIC_URL: z
    .string()
    .regex(/^https?:\/\/[^\s?#]+$/, 'must be an http or https URL without query')
    .transform((url) => url.replace(/(?<!\/)\/+$/, ''))
    .optional()
    .describe('The address that others reach the gateway at; http://127.0.0.1:PORT where it is not set'),
  KEEP_ALIVE_SECONDS: seconds(3600)
    .default(65)
    .describe('Seconds that an idle HTTP connection is kept; longer than a load balancer in front keeps it'),
  SHUTDOWN_DELAY_SECONDS: wholeNumber(0, 600)
    .default(0)
    .describe('Seconds after SIGTERM in which requests are still taken, for load balancers to notice'),
  SHUTDOWN_GRACE_SECONDS: seconds(3600)
    .default(20)
    .describe('Seconds that requests and jobs in progress may then take before they are cut'),
  FEEDMESH_DATA: z.string().default('.feedmesh').describe('The folder for data of this machine'),
  ITEM_STORED_BYTES: wholeNumber(10_000, 15_728_640)
    .default(15_728_640)
    .describe(
      'Bytes that one item may take in MongoDB with its conflicts; MongoDB takes 16,777,216 as one document',
    ),
  LOG_LEVEL: z
    .enum(
      ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
      'must be fatal, error, warn, info, debug, trace or silent',
    )
    .default('info')
    .describe('The least important records to write'),
  LOG_FORMAT: z
    .enum(['text', 'json'], 'must be text or json')
    .optional()
    .describe(
      'How records are written: readable text, or one line of JSON each. Text on a terminal and JSON ' +
        'elsewhere where it is not set',
    ),
  OTEL_EXPORTER_OTLP_ENDPOINT: z
    .string()
    .regex(/^https?:\/\/[^\s?#]+$/, 'must be an http or https URL without query')
    .optional()
    .describe(
      'Where traces are sent (OTLP over HTTP, `/v1/traces` below it); none are made where it is not set. ' +
        "The other variables of OpenTelemetry's SDK hold besides",
    ),
  JOB_LOCK_MS: wholeNumber(1000, 86_400_000)
    .default(20_000)
    .describe('Milliseconds without a sign of life from its worker after which a job is given to another'),
  JOB_STALLED_CHECK_MS: wholeNumber(100, 86_400_000)
    .default(5_000)
    .describe('Milliseconds between two searches for such jobs'),
});

/** The address that others reach the gateway at, without a slash at its end. */
export function publicUrl({
  PUBLIC_URL,
  PORT,
}: Pick<z.output<typeof serviceSettings>, 'PUBLIC_URL' | 'PORT'>): string {
  return PUBLIC_URL ?? `http://127.0.0.1:${PORT}`;
}
