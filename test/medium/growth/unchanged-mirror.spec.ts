import { expect, test } from '@jest/globals';
import { countPoll } from '../../support/growth/polled-mirror.ts';
import { PipelineUnderTest } from '../pipeline/pipeline-under-test.ts';

/** The MongoDB collections in which a fetch of a tree works, and no periodic task. */
const ofTrees = ['documents', 'contents.files', 'contents.chunks', 'manifests'];

async function costOf(feeds: number) {
  const services = await PipelineUnderTest.open({ FETCH_RECONCILE_MS: '600000' });
  try {
    const { operations, requests } = await countPoll(services, feeds);
    // Periodic tasks look for work in others, at any time.
    const counted = operations.filter(({ name }) => ofTrees.includes(name.split(' ')[1] ?? ''));
    const documents = operations.reduce((sum, operation) => sum + operation.documents, 0);
    return { requests, names: counted.map(({ name }) => name).toSorted(), documents };
  } finally {
    await services.close();
  }
}

test('a poll of a mirror that has not changed costs the same however many feeds it has', async () => {
  const small = await costOf(10);
  const large = await costOf(100);
  expect(small.requests).toBe(1);
  expect({ requests: large.requests, names: large.names }).toEqual({
    requests: 1,
    names: small.names,
  });
  expect(small.names).toHaveLength(4);
  // A round of the schedule more or less may be among them.
  expect(Math.abs(large.documents - small.documents)).toBeLessThan(10);
  expect(large.documents).toBeLessThan(30);
}, 120_000);
