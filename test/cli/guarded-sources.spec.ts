import { afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { run } from '../../apps/cli/src/run.ts';
import { atomEntry, atomFeed } from './feeds.ts';
import { closeServers, localServer } from './local-server.ts';
import { memoryIo } from './memory-io.ts';
import { temporaryFolder } from './temporary-folder.ts';

const folder = temporaryFolder();
let local: string;
beforeAll(async () => {
  local = await folder.write('local.xml', atomFeed([atomEntry('a', 'A', [['me', 1]])]));
});
afterEach(closeServers);

const commands = [
  ['validate', (url: string) => ['validate', url]],
  ['merge', (url: string) => ['merge', local, url]],
] as const;

describe.each(commands)('%s', (_name, commandLine) => {
  test.each([
    [
      'http://169.254.169.254/latest/meta-data/',
      '169.254.169.254 was not dialled: it is the metadata service of AWS',
    ],
    [
      'http://10.0.0.1/feed',
      '10.0.0.1 was not dialled: it is not a public address (private, 10.0.0.0/8); --allow-network lists',
    ],
    [
      'http://127.0.0.2/feed',
      '127.0.0.2 was not dialled: it is not a public address (loopback, 127.0.0.0/8); --allow-network lists',
    ],
    ['file:///etc/passwd', 'file:///etc/passwd is neither http nor https'],
  ])('does not follow a redirect to %s', async (location, reason) => {
    const { url } = await localServer((_, response) => response.writeHead(302, { location }).end());
    const io = memoryIo();
    expect(await run([...commandLine(url), '--allow-network', '127.0.0.1/32'], io)).toBe(2);
    expect([io.out(), io.err()]).toEqual(['', expect.stringContaining(reason)]);
  });

  test('reaches this machine only if that is allowed', async () => {
    let requests = 0;
    const { url } = await localServer((_, response) => {
      requests += 1;
      response.end(atomFeed([atomEntry('b', 'B', [['you', 1]])]));
    });
    const refused = memoryIo();
    expect(await run(commandLine(url), refused)).toBe(2);
    expect(refused.err()).toContain(
      `cannot read ${url}: 127.0.0.1 was not dialled: it is not a public address (loopback, ` +
        '127.0.0.0/8); --allow-network lists what else may be reached',
    );
    expect(requests).toBe(0);
    expect(await run([...commandLine(url), '--allow-network', '127.0.0.0/8'], memoryIo())).toBe(0);
    expect(requests).toBe(1);
  });

  test('refuses a network that is none', async () => {
    const io = memoryIo();
    expect(await run([...commandLine('http://example.org/'), '--allow-network', 'home'], io)).toBe(64);
    expect(io.err()).toContain('--allow-network: "home" is not a network');
  });
});
