import { createHash } from 'node:crypto';
import { isFeedTree } from '#protocols';
import { arrangeCollection, mergeFragments } from '#items';
import { isOrdered } from '#protocol';
import { nameOf, subscriptionId } from '#core';
import type { DeadLetter } from '#core';
import type { Principal } from '../access/principal.ts';
import { findCollection } from '../collections/find-collection.ts';
import { runCommand } from '../commands/run-command.ts';
import type { GatewayPorts } from '../gateway-ports.ts';
import { ProblemError } from '../problems/problem-error.ts';
import { noSuchLetter } from './no-such-letter.ts';

/**
 * Takes in what is in a dead letter once more, and removes the letter if it goes well. A version that someone
 * else signed as we do is then taken for our own if it comes after everything that was signed here. Throws
 * `ProblemError` 404 for no such letter, 409 for an item of a tree, 422 for one that is not kept whole and
 * for an item that is rejected again, and whatever the command throws; the letter then stays.
 */
export async function retry(ports: GatewayPorts, caller: Principal, id: string): Promise<void> {
  const letter = await ports.store.deadLetters.find(id);
  if (letter === undefined) throw noSuchLetter(id);
  if (letter.isPartial)
    throw new ProblemError(
      422,
      'dead-letter-partial',
      "What it is of was too large to be kept, so that it can't be taken in once more. Send it again, or " +
        'refresh its subscription.',
    );
  if (letter.command) await runCommand(ports, letter.command.name, letter.command.data, caller);
  if (letter.kind === 'item') await mergeAgain(ports, letter);
  await ports.store.deadLetters.remove(id);
}

async function mergeAgain(ports: GatewayPorts, letter: DeadLetter): Promise<void> {
  const { fragment } = letter;
  const { store, clock, publicUrl, jobs } = ports;
  const collection = await findCollection(ports, letter.collection);
  if (isFeedTree(collection))
    throw new ProblemError(
      409,
      'mirror',
      `The items of "${nameOf(letter.collection)}" are taken in with the feed that they stand in: refresh ` +
        'its subscription.',
    );
  if (fragment === undefined) return;
  const digest = createHash('sha256').update(fragment.xml).digest('base64url');
  const itemPorts = { store, now: () => clock.now(), publicUrl, acceptsSignatures: true };
  const { changed, rejected, exceeded } = await mergeFragments(itemPorts, collection, {
    version: 1,
    collection: letter.collection,
    subscription: letter.subscription ?? subscriptionId(''),
    manifest: letter.id,
    batch: 0,
    fragments: [{ ...fragment, digest }],
  });
  if (exceeded !== undefined) throw exceeded;
  if (rejected > 0)
    throw new ProblemError(422, 'rejected-again', 'The item was rejected again.', {
      violations: letter.violations,
    });
  if (changed.length > 0 && isOrdered(collection)) await arrangeCollection(itemPorts, collection);
  if (changed.length > 0) jobs.publish(letter.collection);
}
