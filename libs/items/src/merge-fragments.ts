import { createHash } from 'node:crypto';
import type { Breach, Fragment } from '#feed-xml';
import type { MergeJob } from '#messages';
import type { Collection, DeadLetter, ItemContent, ItemWrite, Source, Store, StoredItem } from '#ports';
import { protocols } from './protocols.ts';
import { itemWrite } from './stored-item.ts';

/** How often the items that lost a race are decided again before the whole batch is. */
const maximumAttempts = 10;

/** What merging needs of the world. */
export interface MergePorts {
  readonly store: Pick<Store, 'items' | 'deadLetters'>;
  readonly now: () => Date;
  readonly publicUrl: string;
}

/** What a batch came to, in items. */
export interface MergeOutcome {
  readonly changed: number;
  readonly rejected: number;
}

interface Incoming {
  readonly content: ItemContent;
  readonly fragment: MergeJob['fragments'][number];
}

/**
 * Merges the fragments of one batch into a collection (FeedSync 3.3):
 *
 *     fragments ─read─▶ items by id ─load─▶ merge each, in order ─compare-and-set─▶ changed ones, pending
 *         └─▶ dead letters                        ▲                     │ lost the race
 *                                                 └──── load again ─────┘
 *
 * An item that can't be read or merged goes to the dead letters; its neighbours are not held up. Running it twice changes nothing more.
 * Items without sync data are passed over (2.4).
 */
export async function mergeFragments(ports: MergePorts, collection: Collection, job: MergeJob): Promise<MergeOutcome> {
  const letters: DeadLetter[] = [];
  const reject = (fragment: Fragment, breaches: readonly Breach[]): void => {
    letters.push(deadLetter(job, fragment, breaches, ports.now()));
  };
  let undecided = readIncoming(collection, job, reject);
  let changed = 0;
  for (let attempt = 0; undecided.size > 0; attempt += 1) {
    if (attempt === maximumAttempts) throw new Error(`${undecided.size} items lost the race ${maximumAttempts} times.`);
    const stored = await ports.store.items.load(collection.name, [...undecided.keys()]);
    const { writes, sources } = decide(ports, collection, job, undecided, stored, reject);
    const lost = new Set(writes.length > 0 ? await ports.store.items.compareAndSet(writes) : []);
    if (sources.length > 0) await ports.store.items.remember(collection.name, sources);
    changed += writes.length - lost.size;
    undecided = new Map([...undecided].filter(([id]) => lost.has(id)));
  }
  if (letters.length > 0) await ports.store.deadLetters.add(letters);
  return { changed, rejected: letters.length };
}

type Reject = (fragment: Fragment, breaches: readonly Breach[]) => void;

function readIncoming(collection: Collection, job: MergeJob, reject: Reject): Map<string, Incoming[]> {
  const incoming = new Map<string, Incoming[]>();
  for (const fragment of job.fragments) {
    const reading = protocols[collection.protocol].read(fragment);
    if (reading.kind === 'rejected') reject(fragment, reading.breaches);
    if (reading.kind !== 'item') continue;
    const { id } = reading.item.sync;
    const versions = incoming.get(id) ?? [];
    if (versions.length === 0) incoming.set(id, versions);
    versions.push({ content: reading.item, fragment });
  }
  return incoming;
}

function decide(
  ports: MergePorts,
  collection: Collection,
  job: MergeJob,
  undecided: ReadonlyMap<string, readonly Incoming[]>,
  stored: ReadonlyMap<string, StoredItem>,
  reject: Reject,
): { writes: ItemWrite[]; sources: (Source & { id: string })[] } {
  const context = { collection, publicUrl: ports.publicUrl, now: ports.now() };
  const writes: ItemWrite[] = [];
  const sources: (Source & { id: string })[] = [];
  for (const [id, versions] of undecided) {
    const local = stored.get(id);
    const { content, changed, last } = mergeVersions(collection, local?.content, versions, reject);
    if (last === undefined || content === undefined) continue;
    const source = { subscription: job.subscription, digest: last.digest };
    if (changed) writes.push(itemWrite(context, local, content, source));
    else sources.push({ id, ...source });
  }
  return { writes, sources };
}

/** Merges the versions that one feed gave of one item, in the order of the feed (Implementation Notes, Note 2). */
function mergeVersions(collection: Collection, local: ItemContent | undefined, versions: readonly Incoming[], reject: Reject) {
  let content = local;
  let changed = false;
  let last: Incoming['fragment'] | undefined;
  for (const version of versions) {
    try {
      const merged = protocols[collection.protocol].merge(content, version.content);
      content = merged.content;
      changed ||= merged.changed;
      last = version.fragment;
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      const { line, column } = version.fragment;
      reject(version.fragment, [{ rule: 'merge', section: 'FeedSync 3.3', message, severity: 'error', line, column }]);
    }
  }
  return { content, changed, last };
}

function deadLetter(job: MergeJob, fragment: Fragment, breaches: readonly Breach[], at: Date): DeadLetter {
  const { collection, subscription } = job;
  const digest = createHash('sha256').update(`${collection}\n${subscription}\n${fragment.xml}`).digest('hex');
  const { xml, line, column, id } = fragment;
  return { id: `${collection}.${digest.slice(0, 32)}`, collection, subscription, kind: 'item', fragment: { xml, line, column, ...(id !== undefined && { id }) }, breaches, at };
}
