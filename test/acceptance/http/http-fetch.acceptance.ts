import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { FetchResponse, HttpFetch } from '#core';

export interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** One implementation of the port, and a server that it can reach. */
export interface HttpFetchSubject {
  readonly http: HttpFetch;
  /** Serves responses under the path; returns the whole address. */
  serve(path: string, answer: () => Answer): string;
  close(): Promise<void>;
}

export async function textOf(response: FetchResponse): Promise<string> {
  if (response.status !== 'ok') throw new Error(`expected a document, got ${response.status}`);
  const decoder = new TextDecoder();
  let text = '';
  for await (const piece of response.body) text += decoder.decode(piece, { stream: true });
  return text + decoder.decode();
}

/** What every implementation of `HttpFetch` does. */
export function acceptHttpFetch(name: string, open: () => Promise<HttpFetchSubject>): void {
  describe(`HttpFetch: ${name}`, () => {
    let subject: HttpFetchSubject;
    beforeAll(async () => {
      subject = await open();
    });
    afterAll(() => subject.close());

    test('a document comes with its address, validators, media type and body', async () => {
      const url = subject.serve('/feed', () => ({
        status: 200,
        headers: {
          etag: '"v1"',
          'last-modified': 'Sun, 06 Nov 1994 08:49:37 GMT',
          'content-type': 'application/atom+xml; charset=utf-8',
        },
        body: '<feed>é</feed>',
      }));
      const response = await subject.http.get({ url });
      expect(response).toMatchObject({
        status: 'ok',
        url,
        etag: '"v1"',
        lastModified: 'Sun, 06 Nov 1994 08:49:37 GMT',
        contentType: 'application/atom+xml; charset=utf-8',
        freshness: {},
      });
      expect(await textOf(response)).toBe('<feed>é</feed>');
    });

    test('an empty document has an empty body', async () => {
      const url = subject.serve('/empty', () => ({ status: 200 }));
      expect(await textOf(await subject.http.get({ url }))).toBe('');
    });

    test('the etag of the last document gets not-modified until the document changes', async () => {
      let version = 1;
      const url = subject.serve('/etag', () => ({
        status: 200,
        headers: { etag: `W/"v${version}"` },
        body: `${version}`,
      }));
      const first = await subject.http.get({ url });
      expect(await textOf(first)).toBe('1');
      expect(await subject.http.get({ url, etag: 'W/"v1"' })).toMatchObject({ status: 'not-modified', url });
      version = 2;
      const changed = await subject.http.get({ url, etag: 'W/"v1"' });
      expect(changed).toMatchObject({ status: 'ok', etag: 'W/"v2"' });
      expect(await textOf(changed)).toBe('2');
    });

    test('the date of the last document gets not-modified if it has no etag', async () => {
      const url = subject.serve('/date', () => ({
        status: 200,
        headers: { 'last-modified': 'Sun, 06 Nov 1994 08:49:37 GMT' },
        body: 'x',
      }));
      expect(await subject.http.get({ url, lastModified: 'Sun, 06 Nov 1994 08:49:37 GMT' })).toMatchObject({
        status: 'not-modified',
      });
    });

    test('max-age is the freshness of a document and of not-modified', async () => {
      const url = subject.serve('/fresh', () => ({
        status: 200,
        headers: { etag: '"v1"', 'cache-control': 'public, max-age=1800' },
        body: 'x',
      }));
      const response = await subject.http.get({ url });
      expect(response.freshness).toEqual({ seconds: 1800 });
      await textOf(response);
      expect(await subject.http.get({ url, etag: '"v1"' })).toMatchObject({
        status: 'not-modified',
        freshness: { seconds: 1800 },
      });
    });

    test('the links of the header come with a document and with not-modified', async () => {
      const link = '<https://hub.example/>; rel="hub", <https://feed.example/>; rel="self"';
      const url = subject.serve('/links', () => ({
        status: 200,
        headers: { etag: '"v1"', link },
        body: 'x',
      }));
      const response = await subject.http.get({ url });
      expect(response.link).toBe(link);
      await textOf(response);
      expect(await subject.http.get({ url, etag: '"v1"' })).toMatchObject({ status: 'not-modified', link });
    });

    test('410 is an error of its own', async () => {
      const url = subject.serve('/gone', () => ({ status: 410 }));
      await expect(subject.http.get({ url })).rejects.toMatchObject({
        name: 'FetchError',
        rule: 'gone',
        status: 410,
      });
    });

    test('any other status is an error with the status and the time to wait', async () => {
      const url = subject.serve('/busy', () => ({
        status: 503,
        headers: { 'retry-after': '120' },
        body: 'later',
      }));
      await expect(subject.http.get({ url })).rejects.toMatchObject({
        rule: 'http-status',
        status: 503,
        retryAfter: 120,
      });
      const broken = subject.serve('/broken', () => ({ status: 500 }));
      await expect(subject.http.get({ url: broken })).rejects.toMatchObject({
        rule: 'http-status',
        status: 500,
        retryAfter: undefined,
      });
    });

    test('304 to a request without validators is an error', async () => {
      const url = subject.serve('/unasked', () => ({ status: 304 }));
      await expect(subject.http.get({ url })).rejects.toMatchObject({ rule: 'http-status', status: 304 });
    });

    test('a body that is left half read holds nothing up', async () => {
      const url = subject.serve('/long', () => ({ status: 200, body: 'x'.repeat(1_000_000) }));
      for (let round = 0; round < 10; round += 1) {
        const response = await subject.http.get({ url });
        if (response.status !== 'ok') throw new Error('expected a document');
        const body = response.body[Symbol.asyncIterator]();
        if (round % 2 === 0) await body.next();
        await body.return?.();
        expect(await body.next()).toMatchObject({ done: true });
      }
      expect(await textOf(await subject.http.get({ url }))).toHaveLength(1_000_000);
    });
  });
}
