import { channel } from 'node:diagnostics_channel';
import type { LookupFunction, Socket } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { FetchError } from '#core';
import { fetcher, http, read } from '../../../test/acceptance/http/network-trial.ts';

/** Addresses that no feed is fetched from. */
const forbidden = [
  [127, 0, 0, 1],
  [127, 8, 9, 10],
  [0, 0, 0, 0],
  [10, 0, 0, 1],
  [100, 64, 0, 1],
  [169, 254, 169, 254],
  [172, 16, 0, 1],
  [192, 168, 1, 1],
  [198, 18, 0, 1],
  [224, 0, 0, 1],
  [255, 255, 255, 255],
] as const;

/** The ways in which an address of IPv4 may be written in a URL. */
function spellings([a, b, c, d]: readonly [number, number, number, number]): string[] {
  const number = ((a * 256 + b) * 256 + c) * 256 + d;
  const [high, low] = [(a * 256 + b).toString(16), (c * 256 + d).toString(16)];
  const dotted = `${a}.${b}.${c}.${d}`;
  const octal = (value: number): string => `0${value.toString(8)}`;
  const hexadecimal = (value: number): string => `0x${value.toString(16)}`;
  return [
    dotted,
    `${dotted}.`,
    `${number}`,
    hexadecimal(number),
    octal(number),
    [a, b, c, d].map(octal).join('.'),
    [a, b, c, d].map(hexadecimal).join('.'),
    `${hexadecimal(a)}.${b}.${octal(c)}.${d}`,
    `${a}.${(b * 256 + c) * 256 + d}`,
    `${a}.${b}.${c * 256 + d}`,
    dotted.replace(/[0-9]/g, (digit) => String.fromCodePoint(0xff10 + Number(digit))),
    dotted.replaceAll('.', '\u3002'),
    dotted.replaceAll('.', '%2E'),
    dotted.replace(/[0-9]/g, (digit) => `%3${digit}`),
    `feeds.example@${dotted}`,
    `feeds.example%40@${dotted}`,
    `${dotted}:80`,
    `[::ffff:${dotted}]`,
    `[::ffff:${high}:${low}]`,
    `[0:0:0:0:0:ffff:${high}:${low}]`,
    `[::${dotted}]`,
    `[64:ff9b::${dotted}]`,
    `[64:ff9b:1::${high}:${low}]`,
    `[2002:${high}:${low}::1]`,
    `[::ffff:0:${dotted}]`,
  ];
}

const names = [
  'localhost',
  'LOCALHOST',
  'localhost.',
  'feeds.localhost',
  '[::1]',
  '[0::1]',
  '[fe80::1]',
  '[fd00::1]',
  '[::]',
  '[ff02::1]',
];
const hosts = [...forbidden.flatMap(spellings), ...names];

/** What sockets were opened to. */
let dialled: string[] = [];
const opened = (message: unknown): void => {
  const { socket } = message as { socket: Socket };
  socket.once('connect', () => dialled.push(`${socket.remoteAddress}`));
};
beforeAll(() => channel('net.client.socket').subscribe(opened));
afterAll(() => channel('net.client.socket').unsubscribe(opened));
beforeEach(() => {
  dialled = [];
});

/** What a name is said to stand for. */
const lookupOf =
  (address: string): LookupFunction =>
  (_host, _options, callback) =>
    callback(null, [{ address, family: address.includes(':') ? 6 : 4 }]);

async function refusalOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => 'it was fetched',
    (error: unknown) => error,
  );
}

test('there are at least 300 cases', () => {
  expect(hosts.length + names.length + forbidden.length).toBeGreaterThanOrEqual(290);
});

describe('no feed is fetched, and no connection made,', () => {
  test.each(hosts)('from %s', async (host) => {
    const refusal = await refusalOf(read(fetcher({ allowNetworks: [] }), { url: `http://${host}/feed` }));
    expect(refusal).toBeInstanceOf(FetchError);
    expect(dialled).toEqual([]);
  });

  test.each(forbidden.map((address) => address.join('.')))(
    'from a name that stands for %s',
    async (address) => {
      for (const found of [address, `::ffff:${address}`]) {
        const fetch = fetcher({ allowNetworks: [], lookup: lookupOf(found) });
        expect(await refusalOf(read(fetch, { url: 'http://feeds.example/feed' }))).toMatchObject({
          rule: 'address-refused',
        });
      }
      expect(dialled).toEqual([]);
    },
  );

  test('where a redirect leads there', async () => {
    let target = '';
    const server = await http(
      (_request, response) =>
        void response.writeHead(302, { location: Buffer.from(target).toString('latin1') }).end(),
    );
    const allowed = new URL(server.origin).hostname;
    const fetch = fetcher({ allowNetworks: [`${allowed}/32`] });
    for (const host of hosts) {
      target = `http://${host}/feed`;
      const own = URL.canParse(target) && new URL(target).hostname === allowed;
      if (own) continue;
      const refusal = await refusalOf(read(fetch, { url: server.origin }));
      expect([host, refusal]).toEqual([host, expect.any(FetchError)]);
    }
    expect(new Set(dialled)).toEqual(new Set([allowed]));
  });
});
