import type { NextFunction, Request, Response } from 'express';

/** Nothing that a response holds may run, load, be framed or send a form. */
const strictPolicy = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** What every response tells browsers: to guess no type, to run nothing, and to show it in no frame. */
export const browserHeaders: Readonly<Record<string, string>> = {
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Content-Security-Policy': strictPolicy,
};

/** Sets the `browserHeaders`; a page that needs a policy of its own sets that afterwards. */
export function setBrowserHeaders(_request: Request, response: Response, next: NextFunction): void {
  response.set(browserHeaders);
  next();
}

/** What tells browsers to use TLS alone for this host, for a year (RFC 6797). */
export const tlsHeaders: Readonly<Record<string, string>> = {
  'Strict-Transport-Security': 'max-age=31536000',
};

/** Sets the `tlsHeaders`. */
export function demandTls(_request: Request, response: Response, next: NextFunction): void {
  response.set(tlsHeaders);
  next();
}
