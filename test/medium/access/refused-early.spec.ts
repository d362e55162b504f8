import { beforeAll, expect, test } from '@jest/globals';
import type { IssuedKeyView } from '#contracts';
import type { AuditEntry } from '#core';
import { AuditTrail } from '../../../apps/gateway/src/audit/audit-trail.ts';
import { useGateway } from '../gateway/use-gateway.ts';
import { administrator, keysRequired } from '../../support/keys-required.ts';

const origin = 'https://console.example';
/** Where a trusted proxy names the subject of a certificate: of such requests the application knows alone. */
const field = 'ssl-client-subject-dn';
const subject = 'CN=acme';
const path = '/v1/collections/acme.todo';

const gateway = useGateway({
  ...keysRequired,
  AUTH_PROXIES: '127.0.0.0/8',
  AUDIT_REFUSALS: '2',
  GATEWAY_ORIGINS: `${origin}, https://other.example`,
  GATEWAY_HOSTS: 'feedmesh.example',
  TENANT_BURST_SECONDS: '1',
});
let key: string;
let reader: string;

beforeAll(async () => {
  await asAdministrator('PUT', '/v1/tenants/acme', { limits: { requestsPerSecond: 1 } });
  await asAdministrator('PUT', path, {});
  const grants = [{ permissions: ['admin'], collections: 'acme.*' }];
  ({ key } = await issue({ name: 'one', grants }));
  await issue({ name: 'two', grants, subject });
  const read = [{ permissions: ['feeds'], collections: 'acme.*' }];
  ({ key: reader } = await issue({ name: 'reader', grants: read }));
});

async function asAdministrator(method: string, at: string, body?: unknown): Promise<Response> {
  const response = await gateway.send(method, at, body, { authorization: `Bearer ${administrator}` });
  expect(response.ok).toBe(true);
  return response;
}

async function issue(body: object): Promise<Required<IssuedKeyView>> {
  return (await (await asAdministrator('POST', '/v1/keys', body)).json()) as Required<IssuedKeyView>;
}

/** How many responses the application has made for what no operation has, and how many were refused. */
async function counts(): Promise<{ readonly made: number; readonly refused: number }> {
  const text = await (await asAdministrator('GET', '/metrics')).text();
  const sum = (pattern: RegExp): number =>
    [...text.matchAll(pattern)].reduce((total, [, count]) => total + Number(count), 0);
  return {
    made: sum(/^feedmesh_http_request_seconds_count\{.*path="(?:none|\/feeds)",status="4xx".*\} (\d+)$/gm),
    refused: sum(/^feedmesh_tenant_refusals_total\{tenant="acme",.*\} (\d+)$/gm),
  };
}

const log = (): Promise<AuditEntry[]> => gateway.store.audit.list({ limit: 100_000 });

type Send = () => Promise<Response>;

/** Sends requests until one is refused, by the application or before it sees them. */
async function refusal(by: 'front' | 'application', send: Send): Promise<Response> {
  for (;;) {
    const before = await counts();
    const response = await send();
    const after = await counts();
    if (response.status !== 429) continue;
    expect(after.refused).toBe(before.refused + 1);
    if ((after.made === before.made ? 'front' : 'application') === by) return response;
  }
}

const by = (headers: Record<string, string>, at = path, method = 'GET'): Send => {
  return () => gateway.send(method, at, undefined, headers);
};
const bearer = (secret: string): Record<string, string> => ({ authorization: `Bearer ${secret}` });

/** What is the same for all requests that are refused alike. */
async function comparable(response: Response): Promise<unknown> {
  const { 'x-request-id': id, date, ...headers } = Object.fromEntries(response.headers);
  expect([typeof id, typeof date]).toEqual(['string', 'string']);
  return { status: response.status, headers, body: await response.text() };
}

test.each<[string, Record<string, string>, string]>([
  ['GET', {}, path],
  ['GET', { origin }, `${path}?a=b`],
  ['GET', { origin: 'https://evil.example' }, '/nowhere/%22%C3%A4'],
  ['GET', {}, '/websub/of/a/hub'],
  ['HEAD', { 'x-request-id': 'r-7' }, path],
  ['POST', {}, '/nowhere'],
])('%s with %j for %s is refused in front as by the application', async (method, headers, at) => {
  const early = await refusal('front', by({ ...bearer(key), ...headers }, at, method));
  const late = await refusal('application', by({ [field]: subject, ...headers }, at, method));
  const given = headers['x-request-id'];
  if (given !== undefined) expect(early.headers.get('x-request-id')).toBe(given);
  expect(await comparable(early)).toEqual(await comparable(late));
});

test.each<[string, () => Record<string, string>, () => string]>([
  ['a secret address', () => ({}), () => `/r/${reader}/feeds/acme.todo.atom`],
  ['Basic', () => ({ authorization: `Basic ${btoa(`any:${reader}`)}` }), () => '/feeds/acme.todo.atom'],
  ['no key', () => ({}), () => '/feeds/acme.todo.atom'],
])('a reader with %s is refused in front too, and the key is not repeated', async (_name, headers, at) => {
  const response = await refusal('front', by(headers(), at()));
  const text = await response.text();
  expect(text).not.toContain(reader);
  expect(JSON.parse(text)).toMatchObject({ instance: '/feeds/acme.todo.atom' });
});

test('a page that may not send a change, and a wrong key, get the refusals that they got', async () => {
  await refusal('front', by(bearer(key)));
  const cross = { ...bearer(key), origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
  expect((await by(cross, path, 'POST')()).status).toBe(403);
  const wrong = `${key.slice(0, -4)}${key.endsWith('AAAA') ? 'BBBB' : 'AAAA'}`;
  expect((await by(bearer(wrong))()).status).toBe(401);
  expect((await by(bearer(key), `/r/${key}/feeds/acme.todo.atom`)()).status).toBe(401);
  expect((await by({}, path, 'PUT')()).status).toBe(401);
});

test('changes that are refused are entered in the audit log, or counted', async () => {
  const trail = gateway.application.get(AuditTrail);
  await trail.flush();
  const before = (await log()).length;
  for (let refused = 0; refused < 20;)
    if ((await by(bearer(key), `${path}/items/none`, 'DELETE')()).status === 429) refused += 1;
  await trail.flush();
  const entries = (await log()).slice(before).filter(({ problem }) => problem === 'tenant-throttled');
  expect(entries.reduce((sum, { count = 1 }) => sum + count, 0)).toBe(20);
  expect(entries.filter(({ count }) => count !== undefined).length).toBeGreaterThanOrEqual(1);
  expect(entries[0]).toMatchObject({ outcome: 'refused', operation: 'deleteItem', status: 429 });
});
