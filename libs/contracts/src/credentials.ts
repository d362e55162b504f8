import { z } from 'zod';

/** How many header fields a subscription may send, and how long their values may be together. */
const maximumFields = 20;
const maximumLength = 8192;

/** What the fetcher decides by itself, what describes a connection, and what a browser would send. */
const refusedFields: ReadonlySet<string> = new Set([
  'accept',
  'accept-charset',
  'accept-encoding',
  'age',
  'baggage',
  'cache-control',
  'connection',
  'cookie2',
  'date',
  'expect',
  'forwarded',
  'from',
  'host',
  'http2-settings',
  'keep-alive',
  'max-forwards',
  'origin',
  'pragma',
  'range',
  'referer',
  'set-cookie',
  'set-cookie2',
  'te',
  'traceparent',
  'tracestate',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'user-agent',
  'via',
]);
const refusedPrefixes = ['content-', 'if-', 'proxy-', 'sec-', 'x-forwarded-'];

const cookies = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+=[^;]*(?:; *[!#$%&'*+\-.^_`|~0-9A-Za-z]+=[^;]*)*$/;

/** Says why a subscription may not send a header field; undefined if it may. */
function explainField(name: string, value: string): string | undefined {
  if (name.toLowerCase() === 'cookie' && !cookies.test(value))
    return 'cookies are "name=value; name=value" (RFC 6265, 4.2.1)';
  return explainFieldName(name);
}

function explainFieldName(name: string): string | undefined {
  if (!/^[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,100}$/.test(name))
    return 'a name has 1 to 100 characters of those that HTTP allows (RFC 9110, 5.1)';
  const lower = name.toLowerCase();
  return refusedFields.has(lower) || refusedPrefixes.some((prefix) => lower.startsWith(prefix))
    ? `the header field ${name} can't be set: it is the fetcher's own, or never sent`
    : undefined;
}

// No message repeats a value: it is a secret.
const text = (pattern: RegExp, message: string): z.ZodString =>
  z.string(message).max(maximumLength, `has more than ${maximumLength} characters`).regex(pattern, message);

const basic = z
  .strictObject({
    kind: z.literal('basic'),
    username: text(/^[^\p{Cc}:]*$/u, 'is a text without colons and control characters (RFC 7617, 2)'),
    password: text(/^\P{Cc}*$/u, 'is a text without control characters (RFC 7617, 2)'),
  })
  .describe('Basic authentication (RFC 7617), in UTF-8.');

const bearer = z
  .strictObject({
    kind: z.literal('bearer'),
    token: text(/^[\w\-.~+/]+=*$/, 'is a token of letters, digits and -._~+/ (RFC 6750, 2.1)'),
  })
  .describe('A bearer token (RFC 6750).');

const headers = z
  .strictObject({
    kind: z.literal('headers'),
    headers: z
      .record(
        z.string(),
        text(/^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/, 'is printable ASCII without spaces around it'),
        'is an object of header fields',
      )
      .superRefine((fields, context) => {
        const names = Object.keys(fields);
        if (names.length === 0 || names.length > maximumFields)
          context.addIssue(`has 1 to ${maximumFields} header fields`);
        const length = Object.entries(fields).reduce(
          (sum, [name, value]) => sum + name.length + value.length,
          0,
        );
        if (length > maximumLength) context.addIssue(`has more than ${maximumLength} characters`);
        if (new Set(names.map((name) => name.toLowerCase())).size < names.length)
          context.addIssue('has a header field twice');
        for (const [name, value] of Object.entries(fields)) {
          const message = explainField(name, value);
          if (message !== undefined) context.addIssue({ code: 'custom', message, path: [name] });
        }
      }),
  })
  .describe('Header fields by name, such as `X-Api-Key`, `Authorization` or `Cookie`.');

/** How a subscription proves to a feed's server who we are; sent to the origin of the feed alone. */
export const credentials = z
  .discriminatedUnion('kind', [basic, bearer, headers], 'the kind is basic, bearer or headers')
  .describe('Sent to the origin of the URL alone, stored encrypted, and never shown.');

/** Credentials that a gateway has encrypted, as they are in the queue until their command has been run. */
export const sealedCredentials = z.strictObject({
  kind: z.enum(['basic', 'bearer', 'headers']),
  origin: z.string(),
  key: z.string(),
  sealed: z.string(),
});
export type Credentials = z.output<typeof credentials>;
