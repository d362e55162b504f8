import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { isNamespaceSpecificString } from '#feedsync';
import { checkResponses } from '../../support/checked-responses.ts';
import { PipelineUnderTest } from './pipeline-under-test.ts';

let one: PipelineUnderTest;
let other: PipelineUnderTest;

beforeAll(async () => {
  one = await PipelineUnderTest.open();
  other = await PipelineUnderTest.open();
});

afterAll(() => Promise.all([one.close(), other.close()]));

/** The endpoint identifier of a new collection, as the gateway at this address gives it. */
async function endpointOfNew(url: string, name: string): Promise<string> {
  checkResponses(url);
  const created = await fetch(`${url}/v1/collections/${name}`, { method: 'PUT' });
  return ((await created.json()) as { endpoint: string }).endpoint;
}

test(
  'two installations on one machine sign with different identifiers, the gateways of one with the ' +
    'same, also after a restart',
  async () => {
    const gateways = [...(await one.start('gateway', 'gateway')), ...(await other.start('gateway'))];
    const urls = await Promise.all(gateways.map((gateway) => gateway.getUrl()));
    const [first = '', second = '', elsewhere = ''] = await Promise.all(
      urls.map((url, index) => endpointOfNew(url, `team-${index}`)),
    );
    const base = first.replace(/:team-0$/, '');
    expect(base).toMatch(/^feedmesh:[0-9a-f]{20}$/);
    expect(isNamespaceSpecificString(first)).toBe(true);
    expect(second).toBe(`${base}:team-1`);
    expect(elsewhere).toMatch(/^feedmesh:[0-9a-f]{20}:team-2$/);
    expect(elsewhere.startsWith(base)).toBe(false);
    await one.stop('gateway');
    await one.start('gateway');
    expect(await endpointOfNew(await one.healthUrl('gateway'), 'later')).toBe(`${base}:later`);
    await one.stop('gateway');
    await one.startWith({ FEEDMESH_ENDPOINT: 'example.org' }, 'gateway');
    expect(await endpointOfNew(await one.healthUrl('gateway'), 'named')).toBe('example.org:named');
  },
);
