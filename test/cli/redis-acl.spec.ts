import { createHash } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { run } from '../../apps/cli/src/run.ts';
import { memoryIo } from './memory-io.ts';
import { temporaryFolder } from './temporary-folder.ts';

const folder = temporaryFolder();

async function feedmesh(words: readonly string[], stdin = '') {
  const io = memoryIo({ stdin });
  const code = await run(words, io);
  return { code, out: io.out(), err: io.err() };
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

test('redis-acl makes a password, which goes to stderr, and prints its digest', async () => {
  const { code, out, err } = await feedmesh(['redis-acl', 'services']);
  const password = /^Password of feedmesh-services: ([\w-]{43})\n$/.exec(err)?.[1] ?? '';
  expect([code, out]).toEqual([
    0,
    expect.stringMatching(`^user feedmesh-services on #${sha256(password)} .*\n$`),
  ]);
  expect((await feedmesh(['redis-acl', 'services'])).out).not.toBe(out);
});

test('redis-acl takes a password from stdin or a file, and does not repeat it', async () => {
  const file = await folder.write('secret', 'tea and milk\r\n');
  for (const source of ['-', file]) {
    const words = ['redis-acl', 'consumer', '--user', 'search', '--group', 'a:b', '--password', source];
    const { code, out, err } = await feedmesh(words, 'tea and milk\n');
    expect([code, err]).toEqual([0, '']);
    expect(out).toContain(`user search on #${sha256('tea and milk')} `);
    expect(out).toContain('(~{feedmesh:changes:*}:reader:a:b ');
  }
});

test.each([
  [['everyone'], '', 64, 'Allowed choices are services, producer, consumer'],
  [['producer', '--user', 'two words'], '', 64, 'It must have 1 to 100 letters'],
  [['consumer', '--group', 'a*'], '', 64, 'It must have 1 to 100 letters'],
  [['producer', '--group', 'search'], '', 64, '--group is for a consumer, not for producer'],
  [['producer', '--password', '-'], '\n', 64, 'the password must be one line that is not empty'],
  [['producer', '--password', '-'], 'two\nlines', 64, 'the password must be one line'],
  [['producer', '--password', '/nowhere/secret'], '', 2, 'cannot read /nowhere/secret'],
])('redis-acl %j is refused', async (words, stdin, expected, message) => {
  const { code, out, err } = await feedmesh(['redis-acl', ...words], stdin);
  expect([code, out, err]).toEqual([expected, '', expect.stringContaining(message)]);
});
