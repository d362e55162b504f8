import { isDeepStrictEqual } from 'node:util';
import type { DemoEndpoint, SharedItem } from './endpoint.ts';

/** The item of FeedSync 1.4. */
const id = 'item_1_myapp_2005-05-21T11:43:33Z';

/** Where the story is written to, and what happens in the middle of it. */
interface Telling {
  readonly say: (line: string) => void;
  /**
   * Called right after each edit that the other endpoint has yet to hear of, with its number from 1 to
   * `lastMoment`: the place to kill a service.
   */
  readonly interrupt: (moment: number) => void;
}

/** The moment at which the two endpoints are at odds. */
export const lastMoment = 4;

/**
 * The story of FeedSync 1.4 on two endpoints that subscribe to each other: an item is made, edited here and
 * there, edited on both sides at once, and resolved.
 * @throws Error if a step does not happen or the end states differ
 */
export async function tellStory(
  a: DemoEndpoint,
  b: DemoEndpoint,
  { say, interrupt }: Telling,
): Promise<void> {
  await a.createCollection('REO1750');
  await b.createCollection('JEO2000');
  await a.subscribe(b);
  await b.subscribe(a);
  say(`${a.name} (REO1750) publishes ${a.feed}`);
  say(`${b.name} (JEO2000) publishes ${b.feed}; each subscribes to the other`);

  await a.create({ id, title: 'Buy groceries', content: 'Get milk and eggs' });
  say(`${a.name} creates "Buy groceries": Get milk and eggs`);
  interrupt(1);
  tell(say, b, await b.awaitItem(id, 'the new item', ({ sync }) => sync.updates === 1));

  await a.update(id, { title: 'Buy groceries', content: 'Get milk, eggs and butter' });
  say(`${a.name} adds butter`);
  interrupt(2);
  tell(say, b, await b.awaitItem(id, 'the butter', ({ sync }) => sync.updates === 2));

  await b.update(id, { title: 'Buy groceries', content: 'Get milk, eggs, butter and bread' });
  say(`${b.name} adds bread`);
  interrupt(3);
  tell(say, a, await a.awaitItem(id, 'the bread', ({ sync }) => sync.updates === 3));

  await a.pause(b);
  await b.pause(a);
  say('Both stop listening for a moment, and edit the same item');
  // The one whose identifier is greater comes last, so that it wins within the same second and after it.
  await b.update(id, { title: 'Buy groceries', content: 'Get milk, eggs, butter and rolls' });
  say(`${b.name} wants rolls instead of bread`);
  await a.update(id, { title: 'Buy groceries - DONE', content: 'Get milk, eggs, butter and bread' });
  say(`${a.name} marks it as DONE`);
  interrupt(lastMoment);
  await a.resume(b);
  await b.resume(a);
  say('Both listen again');
  for (const endpoint of [a, b])
    tell(
      say,
      endpoint,
      await endpoint.awaitItem(id, 'the conflict', ({ conflicts }) => conflicts?.length === 1),
    );
  await expectEqual(a, b);
  say('The conflict shows on both, with the same winner');

  await a.resolve(id, 'winner');
  say(`${a.name} resolves it and keeps the winner`);
  for (const endpoint of [a, b])
    tell(
      say,
      endpoint,
      await endpoint.awaitItem(
        id,
        'the resolution',
        ({ sync, conflicts }) => sync.updates === 5 && conflicts?.length === 0,
      ),
    );
  await expectEqual(a, b);
}

function tell(
  say: Telling['say'],
  { name }: DemoEndpoint,
  { title, content, sync, conflicts = [] }: SharedItem,
): void {
  const [topmost] = sync.history;
  const others = conflicts.map(
    (conflict) =>
      `, in conflict with "${conflict.title}": ${conflict.content} by ${conflict.sync.history[0]?.by}`,
  );
  const update = `update ${sync.updates} by ${topmost?.by}`;
  say(`  ${name} has: "${title}": ${content} (${update})${others.join('')}`);
}

async function expectEqual(a: DemoEndpoint, b: DemoEndpoint): Promise<void> {
  const [ofA, ofB] = [await a.items(), await b.items()];
  if (!isDeepStrictEqual(ofA, ofB))
    throw new Error(
      `The item sets differ.\n${a.name}: ${JSON.stringify(ofA, undefined, 2)}\n${b.name}: ` +
        JSON.stringify(ofB, undefined, 2),
    );
}
