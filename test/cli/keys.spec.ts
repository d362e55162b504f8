import { randomBytes } from 'node:crypto';
import { expect, test } from '@jest/globals';
import type { IssuedKeyView } from '#contracts';
import { run } from '../../apps/cli/src/run.ts';
import { useGateway } from '../medium/gateway/use-gateway.ts';
import { memoryIo } from './memory-io.ts';

const AUTH_SECRETS = randomBytes(32).toString('base64');
const gateway = useGateway({ AUTH: 'required', AUTH_SECRETS });

/** What a command line prints and ends with, for someone who has this key. */
async function feedmesh(command: string, environment: Record<string, string>) {
  const io = memoryIo({ environment: { FEEDMESH_URL: gateway.url, ...environment } });
  const code = await run(command.split(' '), io);
  return { code, out: io.out(), err: io.err() };
}

test('the first key is written to MongoDB, and with it others are created, rotated and revoked', async () => {
  const database = { AUTH_SECRETS, MONGODB_URI: gateway.mongodbUri };
  const first = await feedmesh('keys create first --grant admin:* --database', database);
  expect([first.code, first.out]).toEqual([0, expect.stringMatching(/^fm_[0-9a-f]{16}_.{43}\n$/)]);
  const own = { FEEDMESH_KEY: first.out.trim() };
  const created = await feedmesh(
    'keys create shop --grant read,write:orders-* --grant read:news --expires 2199-01-01 -o json',
    own,
  );
  const { id, key } = JSON.parse(created.out) as Required<IssuedKeyView>;
  const listed = await feedmesh('keys list', own);
  expect(listed.out).toMatch(
    new RegExp(`^${id}\\tshop\\tread,write:orders-\\* read:news\\t\\S+\\t2199-01-01`, 'm'),
  );
  expect((await feedmesh('ls', { FEEDMESH_KEY: key })).code).toBe(0);
  expect(await feedmesh('keys show', { FEEDMESH_KEY: key })).toMatchObject({
    code: 0,
    out: `key ${id}, shop\nread,write:orders-*\nread:news\nexpires 2199-01-01T00:00:00.000Z\n`,
  });
  const rotated = await feedmesh(`keys rotate ${id} --overlap 0`, own);
  expect(rotated.out).toMatch(new RegExp(`^fm_${id}_`));
  expect((await feedmesh(`keys revoke ${id}`, own)).out).toBe(`${id} revoked\n`);
  expect((await feedmesh(`keys revoke ${id}`, own)).err).toContain(`There is no key "${id}"`);
});

test('without a key, or with one that may not, the service says what is missing', async () => {
  const nobody = await feedmesh('ls', {});
  expect([nobody.code, nobody.err]).toEqual([3, expect.stringContaining('permission "read"')]);
  const wrong = await feedmesh('ls', { FEEDMESH_KEY: 'x' });
  expect(wrong.err).toContain('unknown, expired or revoked');
});

test.each([
  ['keys create one', '--grant'],
  ['keys create one --grant everything', 'It must be like read,write:todo-*'],
  ['keys create one --grant read:* --expires soon', 'It must be a date'],
  ['keys create one --grant read:* --database', 'AUTH_SECRETS must be set'],
])('"%s" is refused', async (command, message) => {
  const { code, err } = await feedmesh(command, {});
  expect([code, err]).toEqual([64, expect.stringContaining(message)]);
});
