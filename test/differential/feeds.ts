import { feedsyncDialect } from '#feedsync';
import type { Item } from '#feedsync';
import { payloadFromFields, writeFeedEnd, writeFeedStart, describeFeed } from '#xml';
import { writeItem } from '#feedsync';
import type { Payload } from '#xml';
import type { World } from './world.ts';

/** How many endpoints the largest world has. */
export const mostEndpoints = 6;

/** The feed of one endpoint: its state of every world that has such an endpoint, one item a world. */
export function feedOf(worlds: readonly World[], endpoint: number): string {
  const head = describeFeed({
    format: 'atom',
    title: `Endpoint ${endpoint}`,
    id: `urn:sample:${endpoint}`,
    selfUrl: 'http://sample.example/',
    updated: '2026-01-01T00:00:00Z',
    author: 'sample',
  });
  const items = worlds
    .flatMap((world) => world[endpoint] ?? [])
    .map((item) => `${writeItem(withPayload(item))}\n`);
  return `${writeFeedStart(head, feedsyncDialect)}${items.join('')}${writeFeedEnd('atom')}`;
}

function withPayload({ sync, data, conflicts }: Item<string>): Item<Payload> {
  return { sync, data: payloadFromFields('atom', { title: data }), conflicts: conflicts.map(withPayload) };
}

/** One version by all that the rules of 3.3 decide over. */
export interface Outcome {
  readonly title: string;
  readonly updates: number;
  readonly deleted: boolean;
  readonly noconflicts?: boolean | undefined;
  readonly history: readonly {
    readonly sequence: number;
    readonly when?: string | undefined;
    readonly by?: string | undefined;
  }[];
  /** In the order of their texts. */
  readonly conflicts: readonly Outcome[];
}

/** What an item came to; conflicts are a set (3.3). */
export function outcomeOf<Data>(
  { sync, data, conflicts }: Item<Data>,
  titleOf: (data: Data) => string | undefined,
): Outcome {
  const { updates, deleted, noconflicts, history } = sync;
  return {
    title: titleOf(data) ?? '',
    updates,
    deleted,
    noconflicts,
    history: history.map(({ sequence, when, by }) => ({ sequence, when, by })),
    conflicts: conflicts
      .map((conflict) => outcomeOf(conflict, titleOf))
      .toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)),
  };
}
