import { PassThrough, Readable } from 'node:stream';
import { storedSize } from '#core';
import type { StoredItem, Subscription } from '#core';
import { formatRules } from '#xml';
import { run } from '../../apps/cli/src/run.ts';
import { HostileEndpoint } from './endpoint.ts';
import { HostileServer } from './feed-server.ts';
import type { Resource } from './feed-server.ts';
import type { CollectionKind, Expected, HostileFeed } from './hostile-feed.ts';
import { faultIn } from './read-back.ts';

/** What MongoDB takes as one document. */
const documentBytes = 16_777_216;

/** What came of a feed, and what is wrong with that whatever the feed was. */
export interface TrialResult {
  readonly outcome: Expected;
  readonly problems: readonly string[];
}

/** From which length on a body is fetched once only, in bytes or UTF-16 code units. */
const longBody = 1_000_000;

const contentTypes = {
  atom: 'application/atom+xml',
  rss: 'application/rss+xml',
  opml: 'text/x-opml',
} as const;
const formats: Readonly<Record<CollectionKind, keyof typeof contentTypes>> = {
  atom: 'atom',
  rss: 'rss',
  sse: 'rss',
  ordered: 'rss',
  opml: 'opml',
  tree: 'rss',
};

let server: HostileServer | undefined;

/**
 * Reads a feed as a subscription does (fetch, merge, publish), twice, and as `feedmesh validate` does.
 * Whatever came of it, what is stored fits into MongoDB, what is published is well-formed and is taken by
 * another Feedmesh as it is here, and a second fetch changes nothing.
 */
export async function tryFeed(feed: HostileFeed): Promise<TrialResult> {
  server ??= await HostileServer.open();
  const { into = 'atom', body, headers, documents = {}, isValidated = into !== 'tree' } = feed;
  const type = { 'content-type': contentTypes[formats[into]] };
  const text = body();
  const origin = server.serve({
    '/feed': { body: text, headers: { ...type, ...headers } },
    ...Object.fromEntries(
      Object.entries(documents).map(([path, text]) => [path, { body: text(), headers: type }]),
    ),
  });
  const endpoint = new HostileEndpoint();
  const problems: string[] = [];
  try {
    await endpoint.subscribe(into, `${origin}/feed`);
    const { last } = await endpoint.fetch();
    const items = await endpoint.items();
    const outcome = await outcomeOf(endpoint, last, items, origin);
    for (const item of items) {
      const size = storedSize({ ...item, content: JSON.stringify(item.content) });
      if (size > documentBytes) problems.push(`${shown(item.id)} takes ${size} bytes`);
    }
    problems.push(...(await validationProblems(`${origin}/feed`, outcome, isValidated)));
    if (!('refused' in outcome)) {
      if (text.length < longBody) problems.push(...(await secondFetchProblems(endpoint, items)));
      JSON.stringify(await endpoint.views());
      problems.push(...(await publishingProblems(endpoint, into, items)));
    }
    return { outcome, problems };
  } finally {
    await endpoint.close();
  }
}

async function secondFetchProblems(
  endpoint: HostileEndpoint,
  items: readonly StoredItem[],
): Promise<string[]> {
  await endpoint.fetch();
  const again = new Map((await endpoint.items()).map(({ id, revision }) => [id, revision]));
  return items
    .filter(({ id, revision }) => again.get(id) !== revision)
    .map(({ id }) => `a second fetch changes ${shown(id)}`);
}

async function outcomeOf(
  endpoint: HostileEndpoint,
  last: Subscription['last'],
  items: readonly StoredItem[],
  origin: string,
): Promise<Expected> {
  if (last?.outcome !== 'fetched') return { refused: last?.rule ?? 'none' };
  const rejected = await endpoint.rejections();
  const warnings = [...new Set((last.violations ?? []).map(({ rule }) => rule))].toSorted();
  const conflicts = Object.fromEntries(
    items
      .filter(({ conflictCount }) => conflictCount > 0)
      .map(({ id, conflictCount }) => [shown(id), conflictCount]),
  );
  const failed = (await endpoint.documents()).flatMap(({ url, failure }) =>
    failure ? [`${url.replace(origin, '')} ${failure.rule}`] : [],
  );
  return {
    merged: grouped(items.map(({ id }) => (id.startsWith('adopted:') ? 'adopted' : shown(id)))),
    ...(rejected.length > 0 && { rejected: grouped(rejected) }),
    ...(last.plain !== undefined && { plain: last.plain }),
    ...(Object.keys(conflicts).length > 0 && { conflicts }),
    ...(warnings.length > 0 && { warnings }),
    ...(failed.length > 0 && { failed }),
  };
}

/**
 * The id of an item as far as it is shown; without what tells a feed of a tree by its address, which is
 * another each time.
 */
function shown(id: string): string {
  if (/-[0-9a-f]{16}:/.test(id)) return id.replace(/-[0-9a-f]{16}:/, '-…:');
  return id.length > 40 ? `${id.slice(0, 20)}… (${id.length})` : id;
}

/** The values in order; those that are many as `a, b … ×N`. */
function grouped(values: readonly string[]): readonly string[] {
  const sorted = values.toSorted();
  return sorted.length > 12 ? [...sorted.slice(0, 2), `… ×${sorted.length}`] : sorted;
}

/** What another Feedmesh makes of what this one publishes. */
async function publishingProblems(
  endpoint: HostileEndpoint,
  into: CollectionKind,
  items: readonly StoredItem[],
): Promise<string[]> {
  const problems: string[] = [];
  for await (const [what, texts] of endpoint.published()) {
    let xml = '';
    for await (const text of texts) xml += text;
    const fault = faultIn(xml);
    if (fault !== undefined) problems.push(`the ${what} feed ${fault}`);
    if (into !== 'tree' && what.startsWith('complete'))
      problems.push(...(await readingProblems(what, xml, into, items)));
  }
  return problems;
}

async function readingProblems(
  what: string,
  xml: string,
  into: CollectionKind,
  items: readonly StoredItem[],
): Promise<string[]> {
  const format = what.endsWith('atom') ? 'atom' : what.endsWith('rss') ? 'rss' : 'opml';
  const kind = into === 'atom' || into === 'rss' ? (format as 'atom' | 'rss') : into;
  const peer = new HostileEndpoint();
  try {
    const resource: Resource = { body: xml, headers: { 'content-type': contentTypes[format] } };
    await peer.subscribe(kind, `${(server as HostileServer).serve({ '/published': resource })}/published`);
    const { last } = await peer.fetch();
    if (last?.outcome !== 'fetched') return [`the ${what} feed is refused: ${last?.rule} ${last?.reason}`];
    const rejected = await peer.rejections();
    if (rejected.length > 0)
      return [`items of the ${what} feed are rejected: ${grouped(rejected).join(', ')}`];
    const [here, there] = [items, await peer.items()].map((all) => JSON.stringify(all.map(essenceOf)));
    return here === there ? [] : [`the items of the ${what} feed are others than those here`];
  } finally {
    await peer.close();
  }
}

/** What every endpoint has of an item, without its data, which has another form in each format. */
function essenceOf({ content, deleted, conflictCount }: StoredItem): unknown {
  const { sync, conflicts } = content as unknown as {
    readonly sync: object;
    readonly conflicts: readonly {
      readonly sync?: unknown;
      readonly by?: unknown;
      readonly version?: unknown;
    }[];
  };
  const { foreign: _foreign, conflictsForeign: _conflictsForeign, ...own } = sync as Record<string, unknown>;
  return {
    own,
    deleted,
    conflictCount,
    conflicts: conflicts.map(({ sync, by, version }) => [
      by,
      version,
      sync && { ...sync, foreign: undefined, conflictsForeign: undefined },
    ]),
  };
}

/** `feedmesh validate` ends, and finds an error exactly if the feed or an item is refused. */
async function validationProblems(url: string, outcome: Expected, isCompared: boolean): Promise<string[]> {
  let [out, err] = ['', ''];
  const io = {
    stdin: Readable.from([]),
    environment: {},
    interruption: () => new AbortController().signal,
    stdout: Object.assign(
      new PassThrough({ encoding: 'utf8' }).on('data', (text: string) => (out += text)),
      { isTTY: false },
    ),
    stderr: Object.assign(
      new PassThrough({ encoding: 'utf8' }).on('data', (text: string) => (err += text)),
      { isTTY: false },
    ),
  };
  const code = await run(['validate', url, '-o', 'json', '--allow-network', '127.0.0.1/32'], io);
  if (code === 70 || ![0, 1, 2].includes(code)) return [`validate ends with ${code}: ${err.slice(0, 500)}`];
  const isClean = !('refused' in outcome) && (outcome.rejected ?? []).length === 0;
  if (code === 2) return 'refused' in outcome ? [] : [`validate can't read it: ${err.slice(0, 200)}`];
  const { valid, violations } = JSON.parse(out) as {
    valid: boolean;
    violations: { rule: string; severity: string }[];
  };
  const errors = new Set(violations.filter(({ severity }) => severity === 'error').map(({ rule }) => rule));
  // A subscription reads a feed that breaks the rules of its format all the same.
  const ofProtocol = [...errors].filter((rule) => !(rule in formatRules));
  if ('refused' in outcome && valid && isCompared) return ['validate finds nothing'];
  if (isClean && ofProtocol.length > 0 && isCompared) return [`validate finds ${ofProtocol.join(', ')}`];
  return [];
}
