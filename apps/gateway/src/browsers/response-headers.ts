/** Nothing that a response holds may run, load, be framed or send a form. */
const strictPolicy = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/**
 * The headers of every response, which tell browsers to guess no type, to run nothing, to show it in no frame
 * and, from a server with TLS, to use TLS alone for this host, for a year (RFC 6797). A page that needs a
 * policy of its own replaces that.
 */
export function browserHeaders(isSecured: boolean): Map<string, string> {
  return new Map([
    ['X-Content-Type-Options', 'nosniff'],
    ['X-Frame-Options', 'DENY'],
    ['Referrer-Policy', 'no-referrer'],
    ['Content-Security-Policy', strictPolicy],
    ...(isSecured ? ([['Strict-Transport-Security', 'max-age=31536000']] as const) : []),
  ]);
}
