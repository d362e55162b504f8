/** What a failure says of itself: a `FetchError`, or a `FeedError` with its rule. */
interface Failure {
  readonly rule: string;
  /** The HTTP status, if there was one. */
  readonly status?: number | undefined;
  /** The error of the network, if there was one. */
  readonly cause?: unknown;
}

/** The codes of Node's network errors (and of c-ares) that have a cause of their own. */
const causeOfCode: Readonly<Record<string, string>> = {
  ENOTFOUND: 'dns',
  EAI_AGAIN: 'dns',
  ENODATA: 'dns',
  ECONNREFUSED: 'refused',
  ETIMEDOUT: 'timeout',
};

const causeOfRule: Readonly<Record<string, string>> = {
  'http-timeout': 'timeout',
  slow: 'slow',
  'slow-places': 'slow',
  'download-silent': 'timeout',
  connection: 'connection',
  redirects: 'redirects',
  'redirect-insecure': 'redirects',
  'host-unresolved': 'dns',
  'address-refused': 'address',
  url: 'address',
  'url-scheme': 'address',
  'url-length': 'address',
  'body-too-large': 'too-large',
  'compression-ratio': 'too-large',
  'header-too-large': 'too-large',
  'content-coding': 'invalid-feed',
  interrupted: 'interrupted',
  'robots-disallowed': 'robots',
  'robots-unavailable': 'robots',
  'no-feed-link': 'no-feed',
  'already-subscribed': 'duplicate',
  'tenant-limit': 'tenant-limit',
};

const tlsCode = /^(?:ERR_(?:TLS|SSL)_|CERT_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|EPROTO$)/;

/**
 * Returns the cause of a failed fetch, one word for failures that an operator treats alike: `dns`,
 * `refused`, `tls`, `connection`, `timeout`, `slow`, `redirects`, `address`, `credentials`, `too-large`,
 * `invalid-feed`, `no-feed`, `duplicate`, `robots`, `tenant-limit`, `interrupted`, and for an HTTP status
 * `http-` with the status (`http-404`).
 */
export function failureCause({ rule, status, cause }: Failure): string {
  if (status !== undefined) return `http-${status}`;
  const code = codeOf(cause);
  if (rule === 'connection' && code !== undefined) {
    if (tlsCode.test(code)) return 'tls';
    return causeOfCode[code] ?? 'connection';
  }
  if (rule.startsWith('credentials-')) return 'credentials';
  if (rule.startsWith('limit-')) return 'too-large';
  return causeOfRule[rule] ?? 'invalid-feed';
}

/** The code of an error of Node, or of the first one of several attempts to connect. */
function codeOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  const { code, errors } = error as { readonly code?: unknown; readonly errors?: readonly unknown[] };
  if (typeof code === 'string') return code;
  return Array.isArray(errors) ? codeOf(errors[0]) : undefined;
}
