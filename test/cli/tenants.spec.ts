import { randomBytes } from 'node:crypto';
import { expect, test } from '@jest/globals';
import type { TenantView } from '#contracts';
import { run } from '../../apps/cli/src/run.ts';
import { useGateway } from '../medium/gateway/use-gateway.ts';
import { memoryIo } from './memory-io.ts';

const key = randomBytes(24).toString('base64url');
const gateway = useGateway({ AUTH: 'required', AUTH_ADMIN_KEY: key, TENANT_FILES: '70' });

async function feedmesh(command: string) {
  const io = memoryIo({ environment: { FEEDMESH_URL: gateway.url, FEEDMESH_KEY: key } });
  const code = await run(command.split(' '), io);
  return { code, out: io.out(), err: io.err() };
}

async function changed(command: string): Promise<TenantView> {
  const { code, out } = await feedmesh(`${command} -o json`);
  expect(code).toBe(0);
  return JSON.parse(out) as TenantView;
}

test('a tenant is created, limited, suspended, listed and removed', async () => {
  const created = await changed('tenants create acme --limit collections=2 --limit files=7');
  expect(created).toMatchObject({ name: 'acme', limits: { collections: 2, files: 7 }, suspended: false });
  const again = await feedmesh('tenants create acme');
  expect([again.code, again.err]).toEqual([3, expect.stringContaining('feedmesh tenants set changes it')]);
  const set = await changed('tenants set acme --limit bytes=1000000000000 --unset files');
  expect(set.limits).toMatchObject({ collections: 2, bytes: 1_000_000_000_000, files: 70 });
  expect(await changed('tenants suspend acme')).toMatchObject({ suspended: true, limits: set.limits });
  expect((await feedmesh('tenants list')).out).toMatch(/^acme\tsuspended\t0\/2\t/m);
  expect(await changed('tenants resume acme')).toMatchObject({ suspended: false, limits: set.limits });
  expect((await feedmesh('tenants show acme')).out).toMatch(/^collections\t2\t0$/m);
  expect((await feedmesh('tenants remove acme')).out).toBe('acme removed\n');
  const gone = await feedmesh('tenants show acme');
  expect([gone.code, gone.err]).toEqual([3, expect.stringContaining('There is no tenant "acme"')]);
});

test.each([
  ['tenants set acme', 64, 'name what to change: --limit or --unset'],
  ['tenants create acme --limit apples=1', 3, 'apples'],
  ['tenants create acme --limit items=many', 3, 'items'],
  ['tenants suspend none', 3, 'There is no tenant "none"'],
])('"%s" is refused', async (command, exit, message) => {
  const { code, err } = await feedmesh(command);
  expect([code, err]).toEqual([exit, expect.stringContaining(message)]);
});
