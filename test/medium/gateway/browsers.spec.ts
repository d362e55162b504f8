import { beforeAll, describe, expect, test } from '@jest/globals';
import { describedRequests } from '../../support/described-requests.ts';
import type { SampleRequest } from '../../support/openapi-requests.ts';
import { RawRequest } from '../../support/raw-request.ts';
import { until } from '../../support/until.ts';
import { problemIn } from './gateway-under-test.ts';
import { useGateway } from './use-gateway.ts';

const publicUrl = 'https://mesh.example/feedmesh';

const gateway = useGateway({
  PUBLIC_URL: publicUrl,
  GATEWAY_HOSTS: 'gateway, mesh-gateway.internal.example',
});
let requests: readonly SampleRequest[];
let unsafe: readonly SampleRequest[];
beforeAll(async () => {
  await gateway.send('PUT', '/v1/collections/todo');
  await gateway.send('POST', '/v1/collections/todo/items', { id: 'a', title: 'An item' });
  requests = await describedRequests(gateway.url);
  unsafe = requests.filter(({ method }) => method !== 'GET');
});

/**
 * Sends a request by hand, with exactly these headers, and returns the response as it came, once the
 * connection has ended.
 */
async function sendRaw(lines: readonly string[], body = ''): Promise<string> {
  const raw = await RawRequest.open(gateway.url);
  raw.send(`${[...lines, 'Connection: close', '', ''].join('\r\n')}${body}`);
  await raw.closed;
  return raw.received;
}

async function send(
  { method, path, type, body = '' }: SampleRequest,
  headers: readonly string[],
): Promise<{ status: number; rule: string | undefined }> {
  const host = headers.some((header) => header.startsWith('Host:')) ? [] : ['Host: 127.0.0.1:1'];
  const content = [
    `Content-Length: ${Buffer.byteLength(body)}`,
    ...(type === undefined ? [] : [`Content-Type: ${type}`]),
  ];
  const text = await sendRaw([`${method} ${path} HTTP/1.1`, ...host, ...headers, ...content], body);
  return { status: Number(text.slice(9, 12)), rule: /"urn:feedmesh:problem:([a-z-]+)"/.exec(text)?.[1] };
}

/** What browsers say of a request of a page of another origin. */
const foreign = [
  'Sec-Fetch-Site: cross-site',
  'Sec-Fetch-Site: same-site, Origin: https://mesh.example',
  'Origin: https://evil.example',
  'Origin: null',
  'Origin: https://mesh.example.evil.example',
  'Origin: http://127.0.0.1:2',
  'Sec-Fetch-Site: unheard-of, Origin: https://evil.example',
];

describe('a request of a page of another origin', () => {
  test.each(foreign)('with %s changes nothing, whatever the route', async (headers) => {
    expect(unsafe.length).toBeGreaterThan(30);
    const before = await state();
    for (const request of unsafe) {
      expect([request, await send(request, headers.split(', '))]).toEqual([
        request,
        { status: 403, rule: 'cross-origin' },
      ]);
    }
    expect(await state()).toEqual(before);
  });

  test('without a body, or with one as text, changes nothing', async () => {
    const before = await state();
    for (const path of [
      '/v1/collections/todo/items/a/undelete',
      '/v1/collections/todo/files',
      '/v1/collections/todo/subscriptions/peer/pause',
      '/v1/dead-letters/x/retry',
      '/docs',
      '/nowhere',
    ]) {
      for (const type of [
        undefined,
        'text/plain',
        'application/x-www-form-urlencoded',
        'multipart/form-data; boundary=x',
      ]) {
        const request = { method: 'POST', path, ...(type !== undefined && { type, body: 'x=1' }) };
        expect(
          await send(request, [
            'Sec-Fetch-Site: cross-site',
            'Sec-Fetch-Mode: no-cors',
            'Origin: https://evil.example',
          ]),
        ).toEqual({ status: 403, rule: 'cross-origin' });
      }
    }
    expect(await state()).toEqual(before);
  });

  test('is refused with a problem that names the header and says what to do', async () => {
    const problem = await problemIn(
      await gateway.send('POST', '/v1/collections/todo/items', {}, { origin: 'https://evil.example' }),
    );
    expect(problem).toMatchObject({ status: 403, rule: 'cross-origin' });
    expect(problem.detail).toContain('Origin is https://evil.example');
    expect(problem.detail).toContain('https://mesh.example (setting PUBLIC_URL)');
    expect(
      (
        await problemIn(
          await gateway.send('DELETE', '/v1/collections/todo', undefined, { 'sec-fetch-site': 'same-site' }),
        )
      ).detail,
    ).toContain('Sec-Fetch-Site is same-site');
  });

  test('may read', async () => {
    for (const request of requests.filter(
      ({ method, path }) => method === 'GET' && !path.endsWith('/changes'),
    )) {
      expect(
        (await send(request, ['Sec-Fetch-Site: cross-site', 'Origin: https://evil.example'])).rule,
      ).not.toBe('cross-origin');
    }
  });
});

test.each([
  [[]],
  [['Sec-Fetch-Site: same-origin', 'Origin: http://127.0.0.1:1']],
  [['Sec-Fetch-Site: none']],
  [['Origin: http://127.0.0.1:1']],
  [['Origin: https://127.0.0.1:1']],
  [['Origin: https://mesh.example']],
  [['Host: gateway', 'Origin: http://gateway']],
  [['Host: gateway:80', 'Origin: http://gateway']],
])('a request with %j is not of another origin', async (headers) => {
  for (const request of unsafe.filter(({ method }) => method !== 'DELETE')) {
    expect([request.path, (await send(request, headers)).rule]).not.toEqual([request.path, 'cross-origin']);
  }
  expect(
    await send(
      { method: 'PUT', path: '/v1/collections/todo', type: 'application/json', body: '{}' },
      headers,
    ),
  ).toEqual({ status: 200, rule: undefined });
});

describe('the host of a request', () => {
  const read = (host: readonly string[], version = '1.1'): Promise<string> =>
    sendRaw([`GET /v1/collections HTTP/${version}`, ...host]);

  test.each([
    '127.0.0.1',
    '127.0.0.1:8080',
    '[::1]:8080',
    '10.1.2.3',
    'localhost:8080',
    'feedmesh.localhost',
    'mesh.example',
    'MESH.example:443',
    'gateway:8080',
    'mesh-gateway.internal.example',
  ])('may be %s', async (host) => {
    expect(await read([`Host: ${host}`])).toMatch(/^HTTP\/1.1 200 /);
  });

  test.each([
    'evil.example',
    'evil.example:8080',
    '127.0.0.1.evil.example',
    'localhost.evil.example',
    'mesh.example.evil.example',
  ])('is not %s, which may be a name that leads here (DNS rebinding)', async (host) => {
    expect(await read([`Host: ${host}`])).toMatch(
      /^HTTP\/1.1 421 [^]*urn:feedmesh:problem:unknown-host[^]*GATEWAY_HOSTS/,
    );
  });

  test.each([
    'a b',
    '@',
    'user@mesh.example',
    'user:secret@mesh.example:8080',
    'mesh.example/path',
    'mesh.example?query',
    'mesh.example#fragment',
    'mesh.example\\@evil.example',
    'https://mesh.example',
    'mesh.example:80:80',
    'mesh.example:99999',
    'mesh.example:port',
    '%6cocalhost',
    '[::1',
    '[::1]x',
    '::1',
    'm\u00e9sh.example',
    'mesh.example, evil.example',
    '',
  ])('is never "%s"', async (host) => {
    expect(await read([`Host: ${host}`])).toMatch(/^HTTP\/1.1 400 [^]*urn:feedmesh:problem:invalid-host/);
  });

  test.each([
    [['Host: mesh.example', 'Host: evil.example']],
    [['Host: evil.example', 'host: mesh.example']],
    [['Host: mesh.example', 'HOST: mesh.example']],
    [['Host: mesh.example', 'Host:']],
  ])('is named once, and not as %j', async (hosts) => {
    expect(await read(hosts)).toMatch(/^HTTP\/1.1 400 [^]*urn:feedmesh:problem:invalid-host/);
  });

  const readAt = (target: string, host: readonly string[], version = '1.1'): Promise<string> =>
    sendRaw([`GET ${target} HTTP/${version}`, ...host]);

  test.each([
    ['http://mesh.example/v1/collections', ['Host: mesh.example']],
    ['http://MESH.example:80/v1/collections', ['Host: mesh.example']],
    ['https://mesh.example/v1/collections', ['Host: mesh.example:443']],
  ])('is that of the target %s as well', async (target, host) => {
    expect(await readAt(target, host)).toMatch(/^HTTP\/1.1 200 /);
  });

  test.each([
    ['http://mesh.example/v1/collections', ['Host: gateway']],
    ['http://evil.example/v1/collections', ['Host: mesh.example']],
    ['http://mesh.example:8080/v1/collections', ['Host: mesh.example']],
    ['http://user@mesh.example/v1/collections', ['Host: mesh.example']],
    ['ftp://mesh.example/v1/collections', ['Host: mesh.example']],
  ])('does not differ from that of the target %s', async (target, host) => {
    expect(await readAt(target, host)).toMatch(/^HTTP\/1.1 400 [^]*urn:feedmesh:problem:invalid-host/);
  });

  test('is that of the target if HTTP/1.0 names none', async () => {
    expect(await readAt('http://mesh.example/v1/collections', [], '1.0')).toMatch(/^HTTP\/1.1 200 /);
    expect(await readAt('http://evil.example/v1/collections', [], '1.0')).toMatch(/^HTTP\/1.1 421 /);
  });

  test('may be missing only before HTTP/1.1', async () => {
    expect(await read([])).toMatch(/^HTTP\/1.1 400 [^]*urn:feedmesh:problem:invalid-host/);
    expect(await read([], '1.0')).toMatch(/^HTTP\/1.1 200 /);
  });
});

describe('every response tells browsers to run nothing, to guess no type and to show it in no frame', () => {
  function expectHeaders(received: string): void {
    const head = (received.split('\r\n\r\n')[0] ?? '').toLowerCase();
    expect(head).toContain('\r\nx-content-type-options: nosniff\r\n');
    expect(head).toContain('\r\nx-frame-options: deny\r\n');
    const policies = head.split('\r\n').filter((line) => line.startsWith('content-security-policy: '));
    expect([head, policies.length]).toEqual([head, 1]);
    expect(policies[0]).toMatch(/ default-src 'none';/);
    expect(policies[0]).toMatch(/ frame-ancestors 'none'(;|$)/);
    if (/\r\n\r\n/.test(received) && !head.includes('http/1.1 304'))
      expect(head).not.toContain("script-src 'unsafe");
  }

  test('on every route, whatever it returns', async () => {
    await gateway.send('PUT', '/v1/collections/tree', { protocol: 'cse' });
    const { digest } = (await (
      await gateway.send('POST', '/v1/collections/tree/files', '<script>alert(1)</script>', {
        'content-type': 'text/html',
      })
    ).json()) as { digest: string };
    const more = [
      `/files/tree/${digest}`,
      `/files/tree/${digest}/a.html`,
      '/feeds/todo.atom',
      '/feeds/todo/complete.rss',
      '/feeds/todo/reader.atom',
      '/feeds/tree.rss',
      '/health/live',
      '/health/ready',
      '/openapi.json',
      '/docs',
      '/docs/swagger-ui.css',
      '/docs/swagger-ui-init.js',
      '/docs/nothing',
      '/nowhere',
      '/v1/collections/todo/items/%zz',
      '/v1/collections/UPPER',
      '//',
      '/favicon.ico',
      '/v1/collections/todo/changes?mode=longpoll&since=bad',
      '/feeds/none.atom',
    ].map((path) => ({ method: 'GET', path }));
    for (const { method, path, type, body = '' } of [
      ...more,
      ...more.map(({ path }) => ({ method: 'HEAD', path })),
      ...requests,
      { method: 'OPTIONS', path: '/v1/collections' },
      { method: 'TRACE', path: '/' },
    ] as SampleRequest[]) {
      const content = [
        `Content-Length: ${Buffer.byteLength(body)}`,
        ...(type === undefined ? [] : [`Content-Type: ${type}`]),
      ];
      expectHeaders(await sendRaw([`${method} ${path} HTTP/1.1`, 'Host: localhost', ...content], body));
    }
  });

  test('on an event stream', async () => {
    await gateway.send('PUT', '/v1/collections/streamed');
    const raw = await RawRequest.open(gateway.url);
    raw.send('GET /v1/collections/streamed/changes?mode=stream HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await until(() => raw.received.includes('\r\n\r\n'));
    expect(raw.received).toContain('text/event-stream');
    expectHeaders(raw.received);
    raw.close();
  });

  test.each([
    ['that is not HTTP', 400, 'malformed-request', ['GARBAGE']],
    ['with a header that is no header', 400, 'malformed-request', ['GET / HTTP/1.1', 'Host localhost']],
    [
      'with two lengths',
      400,
      'malformed-request',
      ['GET / HTTP/1.1', 'Host: localhost', 'Content-Length: 1', 'Transfer-Encoding: chunked'],
    ],
    [
      'with a large header',
      431,
      'header-too-large',
      ['GET / HTTP/1.1', 'Host: localhost', `X: ${'x'.repeat(100_000)}`],
    ],
    [
      'that expects too much',
      417,
      'expectation-failed',
      ['GET / HTTP/1.1', 'Host: localhost', 'Expect: miracles'],
    ],
    ['without a host', 400, 'invalid-host', ['GET / HTTP/1.1']],
    ['for another host', 421, 'unknown-host', ['GET / HTTP/1.1', 'Host: evil.example']],
  ])('on a request %s', async (_what, status, rule, lines) => {
    const received = await sendRaw(lines);
    expect(received).toMatch(
      new RegExp(`^HTTP/1.1 ${status} [^]*application/problem\\+json[^]*"urn:feedmesh:problem:${rule}"`),
    );
    expectHeaders(received);
  });

  test('and nothing else on a page of the documentation than it needs', async () => {
    const page = await gateway.send('GET', '/docs');
    const html = await page.text();
    expect(page.headers.get('content-security-policy')).toMatch(/script-src 'self';/);
    // What stands in the page is only styles: scripts come as files of this gateway.
    for (const [, attributes, text] of html.matchAll(/<script([^>]*)>([^<]*)<\/script>/g)) {
      expect(text?.trim()).toBe('');
      const source = /src="([^"]+)"/.exec(attributes ?? '')?.[1] ?? '';
      const script = await gateway.send('GET', new URL(source, `${gateway.url}/docs`).pathname);
      expect([script.status, script.headers.get('content-type')]).toEqual([
        200,
        expect.stringContaining('javascript'),
      ]);
      await script.body?.cancel();
    }
    expect(html).not.toMatch(/\son[a-z]+=/);
    expect(html.match(/(?:src|href)="https?:/g)).toBeNull();
  });
});

/** All that a request could change. */
async function state(): Promise<unknown> {
  const read = async (path: string): Promise<unknown> => (await gateway.send('GET', path)).json();
  return Promise.all(
    [
      '/v1/collections',
      '/v1/collections/todo/items',
      '/v1/collections/todo/subscriptions',
      '/v1/dead-letters',
    ].map(read),
  );
}
