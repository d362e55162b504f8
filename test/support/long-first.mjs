import { statSync } from 'node:fs';
import { relative } from 'node:path';

/** The files that take longest, the longest first. */
const long = [
  'test/stress/chaos.spec.ts',
  'test/stress/followers.spec.ts',
  'test/hostile/hostile.spec.ts',
  'test/wild-feeds/wild-feeds.spec.ts',
  'test/acceptance/store/mongodb-outage.spec.ts',
  'test/e2e/service-end.spec.ts',
  'test/acceptance/store/mongodb-store.spec.ts',
  'test/medium/redis/topologies.spec.ts',
  'test/medium/mongodb/replica-set.spec.ts',
  'test/e2e/trees.spec.ts',
  'test/e2e/trees-faults.spec.ts',
  'test/e2e/demo.spec.ts',
  'test/package/package.spec.ts',
  'test/medium/pipeline/identity.spec.ts',
  'test/medium/pipeline/silent-host.spec.ts',
  'test/e2e/slow-readers.spec.ts',
  'test/medium/pipeline/bad-input.spec.ts',
  'test/simulation/sse-in-step.spec.ts',
  'test/e2e/outlines.spec.ts',
  'test/acceptance/store/mongodb-plans.spec.ts',
  'test/launcher/launcher.spec.ts',
  'test/cli/doctor.spec.ts',
  'test/medium/gateway/mongodb-away.spec.ts',
  'test/medium/pipeline/out-of-sync.spec.ts',
  'test/medium/pipeline/sse.spec.ts',
  'test/e2e/mixed-formats.spec.ts',
  'test/medium/pipeline/lost-work.spec.ts',
  'test/medium/pipeline/poison.spec.ts',
  'test/medium/pipeline/publishing.spec.ts',
  'test/acceptance/queue/redis-outage.spec.ts',
  'test/medium/pipeline/fetching.spec.ts',
  'test/e2e/large-feed.spec.ts',
  'test/medium/mongodb/secured.spec.ts',
];

/**
 * The order of the test files: those that take longest first, so that none of them runs on alone at the end,
 * then the others by size, as Jest has them when it does not know how long they take.
 */
export default class LongFirst {
  sort(tests) {
    const known = tests.map((test) => ({ test, place: placeOf(test), size: statSync(test.path).size }));
    return known.toSorted((a, b) => a.place - b.place || b.size - a.size).map(({ test }) => test);
  }

  /** Jest calls it at the end of a run; the order depends on nothing that a run measures. */
  cacheResults() {}
}

function placeOf({ path, context }) {
  const place = long.indexOf(relative(context.config.rootDir, path));
  return place === -1 ? long.length : place;
}
