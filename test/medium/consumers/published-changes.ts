import { Redis } from 'ioredis';
import { consumeChanges } from '#client';
import type { ChangeEvent, ConsumeOptions } from '#client';
import { formatCursor } from '#contracts';
import { collectionKey } from '#core';
import { openEventStream } from '#queue';
import type { OpenEventStream } from '#queue';
import { publishBlock } from '../../support/published-blocks.ts';
import { startGateway } from '../gateway/gateway-under-test.ts';
import type { GatewayUnderTest } from '../gateway/gateway-under-test.ts';

const blockEvents = 500;

interface PublishedOptions {
  /** About how many events the stream keeps. */
  readonly maximumLength?: number;
  /** Which item a change is of; one of its own by default. */
  readonly subject?: (sequence: number) => string;
  /** Whether the stream gets the events as well as the log (true). */
  readonly isRelayed?: boolean;
}

/** The real gateway with its log of changes, the stream of events, and consumers of both. */
export class PublishedChanges {
  readonly redis: Redis;
  readonly stop = new AbortController();
  readonly #streams = new Map<number, OpenEventStream>();

  private constructor(readonly gateway: GatewayUnderTest) {
    this.redis = new Redis(gateway.redisUrl);
  }

  static async start(environment: Record<string, string> = {}): Promise<PublishedChanges> {
    return new PublishedChanges(await startGateway(environment));
  }

  get key(): string {
    return 'feedmesh:changes:0';
  }

  async create(...names: readonly string[]): Promise<void> {
    for (const name of names) {
      const { status } = await this.gateway.send('PUT', `/v1/collections/${name}`, { title: name });
      if (status !== 201) throw new Error(`PUT ${name}: ${status}`);
    }
  }

  /** Appends changes to the log and relays them, in the order in which the publisher does. */
  async publish(
    name: string,
    count: number,
    { maximumLength = 100_000, subject = String, isRelayed = true }: PublishedOptions = {},
  ): Promise<void> {
    const { store } = this.gateway;
    const collection = collectionKey(name);
    let sequence = (await store.collections.sequences([collection])).get(collection);
    if (sequence === undefined) throw new Error(`${name} is not there`);
    for (const end = sequence + count; sequence < end;) {
      const first = sequence + 1;
      const events = Array.from({ length: Math.min(blockEvents, end - sequence) }, (_, index) =>
        change(name, first + index, subject(first + index)),
      );
      const at = new Date();
      await publishBlock(store, { collection, first, events, items: [], notices: [], at });
      sequence += events.length;
      await store.collections.follow(collection, { relayed: sequence, since: 0 });
      if (isRelayed) await this.#stream(maximumLength).append(collection, events);
    }
  }

  /** Removes all events from the stream, as a trim does; its groups stay. */
  async trim(): Promise<void> {
    await this.redis.xtrim(this.key, 'MAXLEN', 0);
  }

  consume(options: Partial<ConsumeOptions> = {}): AsyncGenerator<ChangeEvent> {
    return consumeChanges({
      redisUrl: this.gateway.redisUrl,
      url: this.gateway.url,
      group: 'team',
      consumer: 'one',
      signal: this.stop.signal,
      takeOverAfter: 500,
      ...options,
    });
  }

  async close(): Promise<void> {
    this.stop.abort();
    await Promise.all([...this.#streams.values()].map((stream) => stream.close()));
    this.redis.disconnect();
    await this.gateway.close();
  }

  #stream(maximumLength: number): OpenEventStream {
    const stream =
      this.#streams.get(maximumLength) ?? openEventStream({ redisUrl: this.gateway.redisUrl, maximumLength });
    this.#streams.set(maximumLength, stream);
    return stream;
  }
}

/** Takes the next changes: their ids without leading zeros. */
export async function take(count: number, changes: AsyncGenerator<ChangeEvent>): Promise<string[]> {
  const ids: string[] = [];
  while (ids.length < count) {
    const next = await changes.next();
    if (next.done) throw new Error(`the changes ended after ${ids.join(', ')}`);
    ids.push(next.value.id.replace(/:0+/, ':'));
  }
  return ids;
}

/** The ids of changes from one to another. */
export function ids(name: string, from: number, to: number): string[] {
  return Array.from({ length: to - from + 1 }, (_, index) => `${name}:${from + index}`);
}

function change(name: string, number: number, subject: string): ChangeEvent {
  const sequence = formatCursor(number);
  return {
    specversion: '1.0',
    id: `${name}:${sequence}`,
    source: `urn:feedmesh:test:${name}`,
    subject,
    type: 'feedmesh.item.updated.v1',
    time: new Date().toISOString(),
    datacontenttype: 'application/json',
    sequence,
    data: { updates: 1, deleted: false, conflictCount: 0, itemUrl: '' },
  };
}
