import { expect, test } from '@jest/globals';
import { countPoll } from '../../support/growth/polled-mirror.ts';
import { PipelineUnderTest } from '../pipeline/pipeline-under-test.ts';

/** The MongoDB collections in which a fetch of a tree works, and no periodic task. */
const ofTrees = ['documents', 'contents.files', 'contents.chunks', 'manifests'];

async function costOf(feeds: number) {
  const services = await PipelineUnderTest.open({ FETCH_RECONCILE_MS: '600000' });
  try {
    const { operations, requests } = await countPoll(services, feeds);
    // Periodic tasks look for work in others, at any time: how often, depends on how long the poll takes.
    const counted = operations.filter(({ name }) => ofTrees.includes(name.split(' ')[1] ?? ''));
    return {
      requests,
      names: counted.map(({ name }) => name).toSorted(),
      documents: counted.reduce((sum, operation) => sum + operation.documents, 0),
      most: Math.max(...operations.map(({ documents }) => documents)),
    };
  } finally {
    await services.close();
  }
}

test('a poll of a mirror that has not changed costs the same however many feeds it has', async () => {
  const small = await costOf(10);
  const large = await costOf(100);
  expect({ ...large, most: 0 }).toEqual({ ...small, most: 0 });
  expect(small.requests).toBe(1);
  expect(small.names).toHaveLength(4);
  // No operation looks at something of each feed.
  for (const { documents, most } of [small, large]) expect(Math.max(documents, most)).toBeLessThan(10);
});
