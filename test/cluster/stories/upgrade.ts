import { setTimeout as delay } from 'node:timers/promises';
import { image } from '../installation.ts';
import type { Installation } from '../installation.ts';
import { Load } from '../load.ts';
import { StalledJobs } from '../stalled-jobs.ts';

/** How long the load runs before and after the pods are replaced, in milliseconds. */
const calm = 5000;

/**
 * All pods of the four services are replaced by those of another version and back, under load: no request
 * fails, no acknowledged edit is lost, no job stalls. Without the time that pods have to end, requests fail.
 */
export async function upgrade(installation: Installation): Promise<void> {
  const { node, say } = installation;
  const next = 'next';
  await node.tagImage(`${image.repository}:${image.tag}`, `${image.repository}:${next}`);
  const stalled = await StalledJobs.watch();
  const failures = await underLoad(installation, async () => {
    await installation.upgrade({ 'image.tag': next });
    say('upgraded');
    await installation.rollback();
    say('rolled back');
  });
  await stalled.end();
  if (failures.length > 0) throw new Error(`requests have failed:\n${failures.slice(0, 20).join('\n')}`);
  if (stalled.found.length > 0) throw new Error(`jobs have stalled: ${stalled.found.join(', ')}`);

  await installation.upgrade({ shutdownDelaySeconds: 0, shutdownGraceSeconds: 1 });
  const control = await underLoad(installation, () => installation.upgrade({ 'image.tag': next }));
  say(`without time to end ${control.length} requests have failed, such as ${control[0]}`);
  if (control.length === 0)
    throw new Error('no request has failed without time to end: the test can not tell');
  await installation.upgrade({ shutdownDelaySeconds: 5, shutdownGraceSeconds: 20, 'image.tag': image.tag });
}

/** Does this under load, and returns the requests that have failed, once everything has arrived. */
async function underLoad(installation: Installation, work: () => Promise<void>): Promise<readonly string[]> {
  const load = await Load.start(installation);
  await delay(calm);
  await work();
  await delay(calm);
  const requests = await load.end();
  installation.say(`${load.failures.length} of ${requests} requests have failed`);
  return load.failures;
}
