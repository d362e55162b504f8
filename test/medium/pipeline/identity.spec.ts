import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { freePort } from '#databases';
import { payloadFromFields } from '#xml';
import { editItem } from '#items';
import { collectionKey, itemId, subscriptionId } from '#core';
import { restore } from '../../../apps/cli/src/commands/restore.ts';
import { memoryIo } from '../../cli/memory-io.ts';
import { until } from '../../support/until.ts';
import { checkResponses } from '../../support/checked-responses.ts';
import { PipelineUnderTest } from './pipeline-under-test.ts';

const rule = 'endpoint-not-unique';

/** An item as the gateway shows it, as far as this looks at it. */
interface Shown {
  readonly id: string;
  readonly title: string;
  readonly sync: unknown;
  readonly conflicts: readonly { readonly title: string; readonly sync: unknown }[];
}

interface Subscription {
  readonly last?: {
    readonly at: string;
    readonly rejected?: number;
    readonly violations?: readonly { readonly rule: string; readonly message: string }[];
  };
  readonly isFetching: boolean;
  readonly signedElsewhere?: number;
}

interface Health {
  readonly status: string;
  readonly notes?: Readonly<Record<string, string>>;
}

/** One installation: four services, reached by HTTP as people do. */
class Installation {
  private constructor(
    readonly pipeline: PipelineUnderTest,
    readonly url: string,
    readonly port: string,
  ) {}

  static async open(): Promise<Installation> {
    const port = String(await freePort());
    const url = `http://127.0.0.1:${port}`;
    checkResponses(url);
    return new Installation(await PipelineUnderTest.open({ PUBLIC_URL: url }), url, port);
  }

  async start(): Promise<void> {
    await this.pipeline.start('fetcher', 'merger', 'publisher');
    await this.pipeline.startWith({ PORT: this.port }, 'gateway');
  }

  async stop(): Promise<void> {
    for (const name of ['gateway', 'fetcher', 'merger', 'publisher'] as const) await this.pipeline.stop(name);
  }

  async send<Answer>(method: string, path: string, body?: object): Promise<Answer> {
    const response = await fetch(`${this.url}${path}`, {
      method,
      ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return (response.status === 204 ? undefined : await response.json()) as Answer;
  }

  create(collection: string, id: string): Promise<unknown> {
    return this.send('POST', `/v1/collections/${collection}/items`, { id, title: `${id} at first` });
  }

  /** Edits an item at a time that can be the same elsewhere. */
  async edit(collection: string, id: string, title: string, at = new Date()): Promise<void> {
    const { store } = this.pipeline;
    const found = await store.collections.find(collectionKey(collection));
    if (found === undefined) throw new Error(`there is no collection ${collection}`);
    await editItem({ store, now: () => at, publicUrl: this.url }, found, itemId(id), {
      action: 'update',
      payload: payloadFromFields('atom', { title }),
    });
  }

  /** Everything that is written can be read in the feed. */
  async published(collection: string): Promise<void> {
    await this.pipeline.published(collectionKey(collection));
  }

  /**
   * Subscribes to the other's collection, or fetches it once more; returns what the subscription is once that
   * has ended.
   */
  async fetch(collection: string, other: Installation): Promise<Subscription> {
    await other.published(collection);
    const path = `/v1/collections/${collection}/subscriptions/other`;
    const before =
      (
        await this.pipeline.store.subscriptions.find(collectionKey(collection), subscriptionId('other'))
      )?.last?.at.getTime() ?? 0;
    if (before === 0)
      await this.send('PUT', path, {
        url: `${other.url}/feeds/${collection}.atom`,
        interval: { minimum: 86_400, maximum: 86_400 },
      });
    else await this.send('POST', `${path}/refresh`);
    const ended = await until(
      () => this.send<Subscription>('GET', path),
      ({ last, isFetching }) => !isFetching && Date.parse(last?.at ?? '') > before,
    );
    await this.published(collection);
    return ended;
  }

  async items(collection: string): Promise<Record<string, Shown>> {
    const { items } = await this.send<{ items: Shown[] }>('GET', `/v1/collections/${collection}/items`);
    return Object.fromEntries(
      items.map(({ id, title, sync, conflicts }) => [
        id,
        { id, title, sync, conflicts: conflicts.map(({ title, sync }) => ({ title, sync })) },
      ]),
    );
  }

  /** The titles of an item's versions, sorted. */
  async titles(collection: string): Promise<Record<string, string[]>> {
    return Object.fromEntries(
      Object.entries(await this.items(collection)).map(([id, { title, conflicts }]) => [
        id,
        [title, ...conflicts.map((conflict) => conflict.title)].toSorted(),
      ]),
    );
  }

  /** The ids of the items that were refused because someone else signs alike, with their letters. */
  async refused(collection: string): Promise<Record<string, string>> {
    const { items } = await this.send<{ items: { id: string; fragment: { id: string } }[] }>(
      'GET',
      `/v1/dead-letters?collection=${collection}&rule=${rule}`,
    );
    return Object.fromEntries(
      items
        .map(({ id, fragment }) => [fragment.id, id] as const)
        .toSorted(([one], [other]) => (one < other ? -1 : 1)),
    );
  }

  async retry(collection: string): Promise<void> {
    for (const letter of Object.values(await this.refused(collection)))
      await this.send('POST', `/v1/dead-letters/${letter}/retry`);
    await this.published(collection);
  }

  /** What the health page notes once all is up: on a busy machine Redis may answer too late for it. */
  async notes(): Promise<Readonly<Record<string, string>>> {
    const { notes = {} } = await until(
      async () => (await (await fetch(`${this.url}/health/ready`)).json()) as Health,
      ({ status }) => status === 'up',
    );
    return notes;
  }

  async eventTypes(collection: string): Promise<string[]> {
    return (await this.pipeline.published(collectionKey(collection))).map(({ type }) => type);
  }
}

let one: Installation;
let other: Installation;

beforeAll(async () => {
  [one, other] = await Promise.all([Installation.open(), Installation.open()]);
});

afterAll(() => Promise.all([one.pipeline.close(), other.pipeline.close()]));

test(
  'two installations that were cloned from one disk image are found out by one fetch, lose nothing, ' +
    'and are led back into step',
  async () => {
    await one.start();
    const { endpoint } = await one.send<{ endpoint: string }>('PUT', '/v1/collections/team');
    for (const id of ['same-second', 'apart', 'only-one', 'only-other', 'untouched'])
      await one.create('team', id);
    await one.edit('team', 'apart', 'apart for the second time');
    await one.published('team');
    await one.stop();
    await other.pipeline.restore(await one.pipeline.rows());
    await Promise.all([one.start(), other.start()]);
    const [second, later] = [new Date(Date.now() + 10_000), new Date(Date.now() + 20_000)];
    await one.edit('team', 'same-second', 'by one', second);
    await other.edit('team', 'same-second', 'by other', second);
    await one.edit('team', 'apart', 'by one', second);
    await other.edit('team', 'apart', 'by other', later);
    await one.edit('team', 'only-one', 'by one', second);
    await other.edit('team', 'only-other', 'by other', second);
    await one.create('team', 'new');
    const before = [await one.items('team'), await other.items('team')];

    const [atOne, atOther] = [await one.fetch('team', other), await other.fetch('team', one)];
    expect(Object.keys(await one.refused('team'))).toEqual(['apart', 'only-other', 'same-second']);
    expect(Object.keys(await other.refused('team'))).toEqual(['apart', 'new', 'only-one', 'same-second']);
    expect([await one.items('team'), await other.items('team')]).toEqual(before);
    expect(atOne).toMatchObject({ signedElsewhere: 3, last: { rejected: 3 } });
    expect(atOther).toMatchObject({ signedElsewhere: 4, last: { rejected: 4 } });
    for (const { last } of [atOne, atOther]) {
      expect(last?.violations?.map((violation) => violation.rule)).toContain(rule);
      expect(last?.violations?.[0]?.message).toMatch(/FeedSync 2\.1\.1/);
    }
    for (const installation of [one, other]) {
      expect(await installation.eventTypes('team')).toContain('feedmesh.subscription.endpoint-not-unique.v1');
      // A note that comes too late is left out.
      const noted = await until(
        () => installation.notes(),
        (notes) => Object.keys(notes).length > 0,
      );
      expect(noted).toEqual({ identity: expect.stringContaining('team/other') });
    }

    // The way out: one of the two gets another identifier; what the other one refuses then comes after all
    // that it has signed.
    const renewed = await one.send<{ endpoint: string; retiredEndpoints: string[]; deadLetters: object }>(
      'POST',
      '/v1/collections/team/endpoint',
    );
    expect(renewed).toMatchObject({ retiredEndpoints: [endpoint], deadLetters: { merged: 3, left: 0 } });
    expect(renewed.endpoint).not.toBe(endpoint);
    await other.fetch('team', one);
    expect(Object.keys(await other.refused('team'))).toEqual(['new', 'only-one']);
    await other.retry('team');
    await one.fetch('team', other);
    await other.fetch('team', one);
    expect(await one.titles('team')).toEqual({
      'same-second': ['by one', 'by other'],
      apart: ['by one', 'by other'],
      'only-one': ['by one'],
      'only-other': ['by other'],
      untouched: ['untouched at first'],
      new: ['new at first'],
    });
    expect(await other.items('team')).toEqual(await one.items('team'));
    for (const installation of [one, other]) {
      expect(await installation.refused('team')).toEqual({});
      expect(await installation.notes()).toEqual({});
    }

    // From now on they are two endpoints as any others.
    for (const id of ['only-one', 'untouched']) await one.edit('team', id, 'again by one');
    for (const id of ['only-other', 'untouched', 'new']) await other.edit('team', id, 'again by other');
    await one.fetch('team', other);
    await other.fetch('team', one);
    await one.fetch('team', other);
    expect(await one.titles('team')).toMatchObject({
      'only-one': ['again by one'],
      'only-other': ['again by other'],
      untouched: ['again by one', 'again by other'],
      new: ['again by other'],
    });
    expect(await other.items('team')).toEqual(await one.items('team'));
    for (const installation of [one, other]) expect(await installation.refused('team')).toEqual({});
    // Nor do they share identifiers of new collections.
    const created = await Promise.all(
      [one, other].map((installation) =>
        installation.send<{ endpoint: string }>('PUT', '/v1/collections/fresh'),
      ),
    );
    expect(created[0]?.endpoint).not.toBe(created[1]?.endpoint);
  },
);

test('an installation restored from a backup finds out what it has lost, and gets it back', async () => {
  for (const id of ['forgotten', 'twice', 'kept'])
    await one.send('PUT', '/v1/collections/saved').then(() => one.create('saved', id));
  await other.send('PUT', '/v1/collections/saved');
  await one.published('saved');
  const backup = await one.pipeline.rows();
  for (const id of ['forgotten', 'twice']) await one.edit('saved', id, 'after the backup');
  await other.fetch('saved', one);
  await one.stop();
  await one.pipeline.restore(backup);
  await one.start();
  await one.edit('saved', 'twice', 'after the restore', new Date(Date.now() + 10_000));

  expect(await one.fetch('saved', other)).toMatchObject({ signedElsewhere: 2 });
  expect(Object.keys(await one.refused('saved'))).toEqual(['forgotten', 'twice']);
  expect(
    await one.send('POST', '/v1/collections/saved/endpoint', { endpoint: 'restored:saved' }),
  ).toMatchObject({ endpoint: 'restored:saved', deadLetters: { merged: 2, left: 0 } });
  await other.fetch('saved', one);
  await one.fetch('saved', other);
  expect(await one.titles('saved')).toEqual({
    forgotten: ['after the backup'],
    twice: ['after the backup', 'after the restore'],
    kept: ['kept at first'],
  });
  expect(await other.items('saved')).toEqual(await one.items('saved'));
});

test('one that was restored with `feedmesh restore` issues nothing twice, and is in step again', async () => {
  for (const installation of [one, other]) await installation.send('PUT', '/v1/collections/vault');
  for (const id of ['forgotten', 'twice', 'kept']) await one.create('vault', id);
  await one.published('vault');
  const backup = await one.pipeline.rows();
  for (const id of ['forgotten', 'twice']) await one.edit('vault', id, 'after the backup');
  await one.create('vault', 'later');
  await other.fetch('vault', one);
  const { next } = await one.send<{ next: string }>('GET', '/v1/collections/vault/changes');
  await one.stop();
  await one.pipeline.restore(backup);

  const io = memoryIo({ environment: one.pipeline.environment });
  expect(await restore({ output: 'json' }, io)).toBe(0);
  const { collections } = JSON.parse(io.out()) as { collections: { collection: string }[] };
  expect(collections).toContainEqual({
    collection: 'vault',
    former: expect.any(String),
    endpoint: expect.stringMatching(/:[\da-f]{20}$/),
    sequence: 1_000_000_003,
  });
  await one.start();
  await one.edit('vault', 'twice', 'after the restore', new Date(Date.now() + 10_000));
  await one.create('vault', 'later');

  const followed = await fetch(`${one.url}/v1/collections/vault/changes?since=${next}`);
  expect(followed.status).toBe(410);
  expect((await one.fetch('vault', other)).signedElsewhere).toBeUndefined();
  await other.fetch('vault', one);
  await one.fetch('vault', other);
  expect(await one.titles('vault')).toEqual({
    forgotten: ['after the backup'],
    twice: ['after the backup', 'after the restore'],
    kept: ['kept at first'],
    later: ['later at first', 'later at first'],
  });
  expect(await other.items('vault')).toEqual(await one.items('vault'));
  for (const installation of [one, other]) expect(await installation.refused('vault')).toEqual({});
  const events = await one.pipeline.relayed('vault');
  expect(new Set(events.map(({ id }) => id)).size).toBe(events.length);
  const created = events.filter(({ type }) => type === 'feedmesh.item.created.v1');
  expect(created.map(({ subject }) => subject).toSorted()).toEqual(
    ['forgotten', 'kept', 'later', 'twice'].flatMap((id) => [id, id]),
  );
});
