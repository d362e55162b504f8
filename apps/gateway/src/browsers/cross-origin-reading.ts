import type { NestApplicationOptions } from '@nestjs/common';

/** What Nest takes for `enableCors`. */
type CorsOptions = Extract<NonNullable<NestApplicationOptions['cors']>, { origin?: unknown }>;

/** What pages may read of a response besides what every page may (Fetch, CORS-safelisted headers). */
const exposedHeaders = [
  'ETag',
  'Link',
  'Location',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'X-Request-Id',
];
/** Seconds for which a browser may remember what is allowed. */
const maxAge = 600;

/**
 * How pages of these origins may use the API (Fetch, CORS): with a key that they send, and never with what a
 * browser sends by itself.
 * @param origins such as `https://console.example`; `*` for all
 */
export function allowOrigins(origins: readonly string[]): CorsOptions {
  return {
    origin: origins.includes('*') ? '*' : [...origins],
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    exposedHeaders,
    maxAge,
  };
}

/**
 * The headers by which a page of this origin may read a response that the application does not make: those
 * that `allowOrigins` has it set.
 * @param origins none if no page may
 */
export function readingHeaders(
  origins: readonly string[],
  origin: string | undefined,
): Readonly<Record<string, string>> {
  if (origins.length === 0) return {};
  const exposed = { 'Access-Control-Expose-Headers': exposedHeaders.join(',') };
  if (origins.includes('*')) return { 'Access-Control-Allow-Origin': '*', ...exposed };
  const isAllowed = origin !== undefined && origins.includes(origin);
  return { Vary: 'Origin', ...(isAllowed && { 'Access-Control-Allow-Origin': origin }), ...exposed };
}
