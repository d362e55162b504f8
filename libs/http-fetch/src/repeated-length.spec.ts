import { expect, test } from '@jest/globals';
import type { Socket } from 'node:net';
import { bytes, fetcher, http, read } from '../../../test/acceptance/http/network-trial.ts';
import type { LocalServer } from '../../../test/acceptance/http/local-server.ts';

const body = '<feed/>\r\n\r\nContent-Length: 1\r\n';

/** Responds to each connection with a head of these lines, and keeps the connection open. */
function served(
  lines: readonly string[],
  send: (socket: Socket, text: string) => void = (socket, text) => void socket.write(text),
): Promise<LocalServer> {
  const text = ['HTTP/1.1 200 OK', ...lines, 'ETag: "\u00fc"', '', body].join('\r\n');
  return bytes((socket) => send(socket, text));
}

const length = `Content-Length: ${body.length}`;
const repeated: [what: string, lines: readonly string[]][] = [
  ['two fields', [length, 'Server: x', length]],
  ['two fields in different case', [length, length.toLowerCase()]],
  ['a list', [`${length}, ${body.length}`]],
  ['a list without spaces, and a field', [`${length},${body.length}`, length]],
];

test.each(repeated)('a length that is repeated in %s is one', async (_what, lines) => {
  const server = await served(lines);
  const fetch = fetcher();
  for (let round = 0; round < 2; round += 1)
    expect((await read(fetch, { url: server.origin })).toString()).toBe(body);
});

test('a repeated length is one in a head that arrives in pieces', async () => {
  const server = await served([length, length], (socket, text) => {
    socket.setNoDelay();
    let at = 0;
    const next = (): void => {
      if (at < text.length) socket.write(text.slice(at, (at += 16)), 'latin1', () => setImmediate(next));
    };
    next();
  });
  expect((await read(fetcher(), { url: server.origin })).toString()).toBe(body);
});

test.each([
  ['different lengths', [length, `Content-Length: ${body.length + 2}`]],
  ['different lengths of a list', [`${length}, 1`]],
  ['a repeated length that is no number', ['Content-Length: +7, +7']],
  ['a repeated length of a body in chunks', [length, length, 'Transfer-Encoding: chunked']],
])('%s are an error', async (_what, lines) => {
  const server = await served(lines);
  await expect(read(fetcher(), { url: server.origin })).rejects.toMatchObject({ rule: 'connection' });
});

test('a response that is another the next time is read as it is then', async () => {
  let connections = 0;
  const server = await bytes((socket) => {
    connections += 1;
    const fields = connections === 1 ? `${length}\r\n${length}` : 'Connection: close';
    socket.end(`HTTP/1.1 200 OK\r\n${fields}\r\n\r\n${body}`);
  });
  expect((await read(fetcher(), { url: server.origin })).toString()).toBe(body);
  expect(connections).toBe(2);
});

test('a body that ends before its repeated length is an error', async () => {
  const server = await served([`${length}9`, `${length}9`], (socket, text) => void socket.end(text));
  await expect(read(fetcher(), { url: server.origin })).rejects.toMatchObject({ rule: 'connection' });
});

test('a server with one length is asked once', async () => {
  let requests = 0;
  const server = await http((_, response) => {
    requests += 1;
    response.setHeader('content-length', body.length).end(body);
  });
  await read(fetcher(), { url: server.origin });
  expect(requests).toBe(1);
});
