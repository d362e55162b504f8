import type { IncomingMessage, ServerResponse } from 'node:http';
import type { LookupFunction } from 'node:net';
import { describe, expect, test } from '@jest/globals';
import { FetchError } from '#core';
import { fetcher, http, read } from '../../../test/acceptance/http/network-trial.ts';

describe('a request', () => {
  test('requests feeds in a coding that we read, names us, and sends both validators as is', async () => {
    let headers: IncomingMessage['headers'] = {};
    const server = await http((request, response) => {
      headers = request.headers;
      response.end();
    });
    await read(fetcher({ userAgent: 'Test/1' }), {
      url: server.origin,
      etag: 'W/"a b"',
      lastModified: 'whenever',
    });
    expect(headers).toMatchObject({
      'user-agent': 'Test/1',
      'accept-encoding': 'gzip, br, deflate',
      'if-none-match': 'W/"a b"',
      'if-modified-since': 'whenever',
    });
    expect(headers.accept).toContain('application/atom+xml');
  });

  test('says of itself and asks for what it is told, also where a redirect leads', async () => {
    const seen: unknown[] = [];
    const keep = ({ headers }: IncomingMessage): void =>
      void seen.push([headers['user-agent'], headers['accept-language']]);
    const other = await http((request, response) => {
      keep(request);
      response.end();
    });
    const server = await http((request, response) => {
      keep(request);
      response.writeHead(302, { location: other.origin }).end();
    });
    const named = { userAgent: 'Reader/1', acceptLanguage: 'de, en;q=0.5' };
    await read(fetcher({ userAgent: 'Test/1' }), { url: server.origin, subscribers: 7, ...named });
    await read(fetcher({ userAgent: 'Test/1' }), { url: other.origin, subscribers: 7 });
    const told = ['Reader/1', 'de, en;q=0.5'];
    expect(seen).toEqual([told, told, ['Test/1 (7 subscribers)', undefined]]);
  });

  test('leaves out a validator that no header can hold', async () => {
    let headers: IncomingMessage['headers'] = {};
    const server = await http((request, response) => {
      headers = request.headers;
      response.end();
    });
    await read(fetcher(), { url: server.origin, etag: '"a\r\nx: y"' });
    expect(headers).not.toHaveProperty('if-none-match');
  });

  test('uses the connections of those before, also after not-modified', async () => {
    const server = await http((request, response) => {
      response.writeHead(request.headers['if-none-match'] === undefined ? 200 : 304, { etag: '"v1"' }).end();
    });
    const fetch = fetcher();
    for (let round = 0; round < 5; round += 1) {
      await read(fetch, { url: server.origin });
      expect(await fetch.get({ url: server.origin, etag: '"v1"' })).toMatchObject({ status: 'not-modified' });
    }
    // The pool may open a second one while the first is still being opened.
    expect(server.connections()).toBeLessThanOrEqual(2);
  });

  test('credentials go to the first origin only', async () => {
    const seen: (string | undefined)[] = [];
    const other = await http((request, response) => {
      seen.push(request.headers.authorization);
      response.end();
    });
    const server = await http((request, response) => {
      seen.push(request.headers.authorization);
      response.writeHead(307, { location: request.url === '/a' ? '/b' : other.origin }).end();
    });
    const response = await fetcher().get({ url: `http://ann:secret@127.0.0.1:${server.port}/a` });
    expect(response.url).toBe(`${other.origin}/`);
    const basic = `Basic ${Buffer.from('ann:secret').toString('base64')}`;
    expect(seen).toEqual([basic, basic, undefined]);
  });
});

describe('redirects', () => {
  test('a chain up to the limit is followed, and the response shows its final URL', async () => {
    const server = await http((request, response) => {
      const left = Number(request.url?.slice(1));
      if (left === 0) response.end('there');
      else
        response
          .writeHead([301, 302, 303, 307, 308][left - 1] ?? 302, { location: String(left - 1) })
          .end('moved');
    });
    const response = await fetcher().get({ url: `${server.origin}/5#part` });
    expect(response).toMatchObject({ status: 'ok', url: `${server.origin}/0` });
  });

  test('a loop ends at the limit', async () => {
    let requests = 0;
    const server = await http((request, response) => {
      requests += 1;
      response.writeHead(302, { location: request.url === '/a' ? '/b' : '/a' }).end();
    });
    await expect(fetcher().get({ url: `${server.origin}/a` })).rejects.toMatchObject({
      rule: 'redirects',
      message: `${server.origin}/a: more than 5 redirects (FETCH_REDIRECTS)`,
    });
    expect(requests).toBe(6);
  });

  test('a response that a proxy has changed (203) is taken as one of status 200', async () => {
    const server = await http((_, response) => {
      response.writeHead(203).end('<feed/>');
    });
    expect((await read(fetcher(), { url: server.origin })).toString()).toBe('<feed/>');
  });

  test('a redirect to nowhere in particular is an error with its status', async () => {
    const server = await http((_, response) => {
      response.writeHead(301).end();
    });
    await expect(fetcher().get({ url: server.origin })).rejects.toMatchObject({
      rule: 'http-status',
      status: 301,
    });
  });
});

describe('many requests to one host', () => {
  test('wait for their turn, while another host is served', async () => {
    const held: ServerResponse[] = [];
    let arrived = (): void => {};
    const server = await http((request, response) => {
      if (request.url === '/other') {
        response.end();
        return;
      }
      held.push(response);
      arrived();
    });
    const lookup: LookupFunction = (_, __, callback) => callback(null, [{ address: '127.0.0.1', family: 4 }]);
    const fetch = fetcher({ connectionsPerHost: 2, lookup });
    const both = new Promise<void>((resolve) => {
      arrived = () => {
        if (held.length === 2) resolve();
      };
    });
    const all = Promise.all(
      Array.from({ length: 6 }, (_, index) => read(fetch, { url: `${server.origin}/${index}` })),
    );
    await both;
    expect(await read(fetch, { url: `http://other.example:${server.port}/other` })).toHaveLength(0);
    expect(held.length).toBe(2);
    let most = 0;
    let answered = 0;
    arrived = () => {
      most = Math.max(most, held.length - answered);
      setImmediate(() => {
        answered += 1;
        held[answered - 1]?.end('x');
      });
    };
    arrived();
    arrived();
    await all;
    expect(held.length).toBe(6);
    expect(most).toBeLessThanOrEqual(2);
  });

  test('a failed one gives its turn to the next', async () => {
    const server = await http((_, response) => {
      response.writeHead(500).end();
    });
    const fetch = fetcher({ connectionsPerHost: 1 });
    const outcomes = await Promise.allSettled(
      Array.from({ length: 5 }, () => fetch.get({ url: server.origin })),
    );
    expect(
      outcomes.map(
        (outcome) => outcome.status === 'rejected' && (outcome.reason as { status?: number }).status,
      ),
    ).toEqual([500, 500, 500, 500, 500]);
  });

  test('take one slot at a time, of a host with its port, if slots are given', async () => {
    const target = await http((_, response) => void response.end('x'));
    const source = await http(
      (_, response) => void response.writeHead(302, { location: target.origin }).end(),
    );
    const record: string[] = [];
    const take = (host: string): (() => void) => {
      record.push(`+${host}`);
      return () => void record.push(`-${host}`);
    };
    expect(await read(fetcher({ slots: { take } }), { url: source.origin })).toHaveLength(1);
    const [from, to] = [`127.0.0.1:${source.port}`, `127.0.0.1:${target.port}`];
    expect(record).toEqual([`+${from}`, `-${from}`, `+${to}`, `-${to}`]);
  });

  test('use the slot that they bring, once, and take one for a redirect', async () => {
    let target = '';
    const server = await http((request, response) => {
      if (request.url === '/target') response.end('x');
      else response.writeHead(302, { location: target }).end();
    });
    target = `${server.origin}/target`;
    const record: string[] = [];
    const take = (): (() => void) => {
      record.push('+');
      return () => void record.push('-');
    };
    const slot = (): void => void record.push('brought');
    expect(await read(fetcher({ slots: { take } }), { url: server.origin, slot })).toHaveLength(1);
    expect(record).toEqual(['brought', '+', '-']);
  });

  test('that find no slot behind a redirect say so, and hold none', async () => {
    const target = await http((_, response) => void response.end('x'));
    const source = await http(
      (_, response) => void response.writeHead(302, { location: target.origin }).end(),
    );
    let held = 0;
    const take = (host: string): (() => void) => {
      if (host === `127.0.0.1:${target.port}`) throw new FetchError('host-busy', 'no slot', { host });
      held += 1;
      return () => void (held -= 1);
    };
    const request = fetcher({ slots: { take } }).get({ url: source.origin });
    await expect(request).rejects.toMatchObject({ rule: 'host-busy', host: `127.0.0.1:${target.port}` });
    expect([held, target.connections()]).toEqual([0, 0]);
  });

  test('name the host that failed, after a redirect too', async () => {
    const target = await http((_, response) => void response.writeHead(500).end());
    const source = await http(
      (_, response) => void response.writeHead(302, { location: target.origin }).end(),
    );
    const request = fetcher().get({ url: source.origin });
    await expect(request).rejects.toMatchObject({ status: 500, host: `127.0.0.1:${target.port}` });
  });
});

describe('a form', () => {
  const form = { 'hub.topic': 'https://feeds.example/?a=1&b=ü', 'hub.mode': 'subscribe' };

  test('is sent as one, also where 307 and 308 lead to', async () => {
    const seen: unknown[] = [];
    const server = await http((request, response) => {
      let body = '';
      request.on('data', (piece: Buffer) => (body += piece.toString()));
      request.on('end', () => {
        seen.push([request.method, request.url, request.headers['content-type'], body]);
        const next = { '/a': [307, '/b'], '/b': [308, '/c'] }[request.url ?? ''];
        if (next === undefined) response.writeHead(202).end('taken');
        else response.writeHead(next[0] as number, { location: next[1] as string }).end();
      });
    });
    await fetcher().post({ url: `${server.origin}/a`, form });
    const body = 'hub.topic=https%3A%2F%2Ffeeds.example%2F%3Fa%3D1%26b%3D%C3%BC&hub.mode=subscribe';
    expect(seen).toEqual(
      ['/a', '/b', '/c'].map((path) => ['POST', path, 'application/x-www-form-urlencoded', body]),
    );
  });

  test.each<[{ status: number; location?: string }, string]>([
    [{ status: 400 }, 'http-status'],
    [{ status: 302, location: '/b' }, 'http-status'],
    [{ status: 307, location: '/a' }, 'redirects'],
    [{ status: 304 }, 'http-status'],
  ])('that is not accepted fails: %j', async ({ status, location }, rule) => {
    const server = await http((_request, response) => {
      response.writeHead(status, location === undefined ? {} : { location }).end('<p>no</p>');
    });
    const sent = fetcher().post({ url: `${server.origin}/a`, form });
    await expect(sent).rejects.toMatchObject({ rule, ...(rule === 'http-status' && { status }) });
    await expect(sent).rejects.not.toHaveProperty('message', expect.stringContaining('no</p>'));
  });

  test('goes to no address that is not public', async () => {
    let isReached = false;
    const server = await http((_request, response) => {
      isReached = true;
      response.end();
    });
    const sent = fetcher({ allowNetworks: [] }).post({ url: server.origin, form });
    await expect(sent).rejects.toMatchObject({ rule: 'address-refused' });
    expect(isReached).toBe(false);
  });
});
