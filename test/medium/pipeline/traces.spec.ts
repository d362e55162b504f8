import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { ChangeEvent } from '#contracts';
import { entry, feed } from './feed.ts';
import { PipelineUnderTest } from './pipeline-under-test.ts';
import { until } from '../../support/until.ts';

interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly attributes: readonly { key: string; value: { stringValue?: string } }[];
}

interface ExportedTraces {
  readonly resourceSpans: readonly {
    readonly scopeSpans: readonly { readonly spans: readonly Span[] }[];
  }[];
}

let pipeline: PipelineUnderTest;
/** Takes spans as a collector does. */
let collector: Server;
const spans: Span[] = [];

beforeAll(async () => {
  process.env['OTEL_BSP_SCHEDULE_DELAY'] = '100';
  collector = createServer((request, response) => {
    void text(request).then((body) => {
      const { resourceSpans } = JSON.parse(body) as ExportedTraces;
      for (const { scopeSpans } of resourceSpans) spans.push(...scopeSpans.flatMap((scope) => scope.spans));
      response.setHeader('content-type', 'application/json').end('{}');
    });
  });
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
  const { port } = collector.address() as AddressInfo;
  pipeline = await PipelineUnderTest.open({
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
    // A look for interrupted fetches may ask for a finalize before the last merge does, outside its trace.
    FETCH_RECONCILE_MS: '3600000',
  });
  await pipeline.start('fetcher', 'merger', 'publisher', 'gateway');
});

afterAll(async () => {
  delete process.env['OTEL_BSP_SCHEDULE_DELAY'];
  await pipeline.close();
  await new Promise((resolve) => collector.close(resolve));
});

/** The event of an item, once it is on the stream. */
async function relayed(collection: string, item: string): Promise<ChangeEvent> {
  const events = await until(
    () => pipeline.relayed(collection),
    (found) => found.some(({ subject }) => subject === item),
  );
  return events.find(({ subject }) => subject === item) as ChangeEvent;
}

/** The names of the spans from the change of an item up to the root of its trace. */
async function wayOf(item: string): Promise<string[]> {
  const ofItem = (span: Span): boolean =>
    span.name === 'change' && span.attributes.some(({ value }) => value.stringValue === item);
  const way = (): Span[] => {
    const found: Span[] = [];
    for (let span = spans.find(ofItem); span !== undefined; span = parentOf(span)) found.push(span);
    return found;
  };
  const isWhole = (found: Span[]): boolean => found.length > 0 && found.at(-1)?.parentSpanId === undefined;
  return (await until(async () => way(), isWhole)).map(({ name }) => name);
}

function parentOf({ traceId, parentSpanId }: Span): Span | undefined {
  return spans.find((span) => span.traceId === traceId && span.spanId === parentSpanId);
}

describe('a trace', () => {
  test('follows an item from the poll to its event, across the queues', async () => {
    pipeline.feeds.serve('/polled', feed([entry('one', ['1 A'])]));
    await pipeline.subscribe('polled');
    const { traceparent = '' } = await relayed('polled', 'one');
    expect(await wayOf('one')).toEqual(['change', 'process merge', 'addBulk merge', 'poll']);
    const [, traceId] = traceparent.split('-');
    const wanted = ['GET', 'process publish', 'change'];
    const names = (): string[] => spans.filter((span) => span.traceId === traceId).map(({ name }) => name);
    await until(names, (found) => wanted.every((name) => found.includes(name)));
  });

  test('goes on with the trace of the client that edits an item', async () => {
    await pipeline.collect('edited');
    const traceId = randomBytes(16).toString('hex');
    const url = `${await pipeline.healthUrl('gateway')}/v1/collections/edited/items`;
    const { status } = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', traceparent: `00-${traceId}-${'1'.repeat(16)}-01` },
      body: JSON.stringify({ id: 'mine', title: 'Mine' }),
    });
    expect(status).toBe(201);
    expect((await relayed('edited', 'mine')).traceparent).toMatch(new RegExp(`^00-${traceId}-`));
  });

  test('has nothing of what workers do while they wait', () => {
    expect(spans.map(({ name }) => name).filter((name) => /getNextJob|[sS]talled/.test(name))).toEqual([]);
  });
});
