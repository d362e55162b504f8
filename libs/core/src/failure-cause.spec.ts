import { expect, test } from '@jest/globals';
import { failureCause } from './failure-cause.ts';
import { FetchError } from './http.ts';

function networkError(code: string): Error {
  return Object.assign(new Error(code), { code });
}

test.each([
  ['dns', new FetchError('connection', '', { cause: networkError('ENOTFOUND') })],
  ['dns', new FetchError('connection', '', { cause: networkError('EAI_AGAIN') })],
  ['refused', new FetchError('connection', '', { cause: networkError('ECONNREFUSED') })],
  [
    'refused',
    new FetchError('connection', '', { cause: new AggregateError([networkError('ECONNREFUSED')]) }),
  ],
  ['timeout', new FetchError('connection', '', { cause: networkError('ETIMEDOUT') })],
  ['tls', new FetchError('connection', '', { cause: networkError('CERT_HAS_EXPIRED') })],
  ['tls', new FetchError('connection', '', { cause: networkError('ERR_TLS_CERT_ALTNAME_INVALID') })],
  ['connection', new FetchError('connection', '', { cause: networkError('ECONNRESET') })],
  ['connection', new FetchError('connection', 'other side closed')],
  ['timeout', new FetchError('http-timeout', '')],
  ['http-404', new FetchError('http-status', '', { status: 404 })],
  ['http-401', new FetchError('unauthorized', '', { status: 401 })],
  ['redirects', new FetchError('redirects', '')],
  ['address', new FetchError('address-refused', '')],
  ['credentials', new FetchError('credentials-key', '')],
  ['too-large', new FetchError('body-too-large', '')],
  ['too-large', { rule: 'limit-items' }],
  ['robots', new FetchError('robots-disallowed', '')],
  ['no-feed', new FetchError('no-feed-link', '')],
  ['duplicate', new FetchError('already-subscribed', '')],
  ['tenant-limit', new FetchError('tenant-limit', '')],
  ['invalid-feed', { rule: 'xml-well-formed' }],
  ['invalid-feed', { rule: 'feed-root' }],
])('the cause is %s', (cause, failure) => {
  expect(failureCause(failure)).toBe(cause);
});
