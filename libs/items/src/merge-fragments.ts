import type { Violation } from '#xml';
import type { MergeJob } from '#contracts';
import { fetchPassOf, inSlices, itemLetterId, sharedContent } from '#core';
import type {
  TenantLimitError,
  BatchReport,
  DeadLetter,
  IssuedRecord,
  ItemId,
  ItemWrite,
  Collection,
  SharedContent,
  Sighting,
  Source,
  Steps,
  Store,
  StoredItem,
} from '#core';
import { notUniqueRule } from './check-signatures.ts';
import { isolate } from './isolate.ts';
import { issuedRecords } from './issued-records.ts';
import type { ResolutionModules } from '#protocol';
import { mergeVersions, rejectionOf } from './merge-versions.ts';
import type { Incoming, MergedVersions, Rejection } from './merge-versions.ts';
import { sharingProtocolOf } from '#protocols';
import { checkPublishedLength, PublishedLengthError } from './published-length.ts';
import { itemWrite } from './stored-item.ts';
import { FetchOverError, writeItems } from './write-items.ts';

/** What merging needs of the world. */
export interface MergePorts {
  readonly store: Pick<Store, 'items' | 'deadLetters'>;
  readonly now: () => Date;
  readonly publicUrl: string;
  /** Whether the fetch that has brought the fragments is still in progress; it is if absent. */
  readonly isInFlight?: () => Promise<boolean>;
  /** The resolutions that the operator wrote; none if absent. */
  readonly modules?: ResolutionModules;
  /**
   * Whether a person says that versions which someone else signed as we do are to be taken for our own, as
   * far as they come after all of ours; default false.
   */
  readonly acceptsSignatures?: boolean;
}

/**
 * What a batch came to: the items that changed, how many were rejected or left out, and what was taken in
 * although it breaks a rule, or was not because someone else has signed it as we do: `notUnique` of those
 * rejected.
 */
interface MergeOutcome extends Omit<BatchReport, 'exceeded'> {
  readonly changed: readonly ItemId[];
  /** The limit of the tenant that keeps items out of which nothing was written; absent if none does. */
  readonly exceeded?: TenantLimitError;
  readonly notUnique: number;
  readonly plain: number;
  readonly violations: readonly Violation[];
}

/**
 * What becomes of one item: a write, or only a source to remember, or neither if no version of it was
 * taken in.
 */
interface Decision extends Pick<MergedVersions, 'rejections' | 'violations'> {
  readonly id: ItemId;
  readonly write?: ItemWrite;
  readonly source?: Source;
}

/** An item as it is stored, and what was signed of it. */
interface KnownItem {
  readonly stored: StoredItem | undefined;
  readonly records: readonly IssuedRecord[] | undefined;
}

/**
 * Merges the fragments of one batch into a collection (FeedSync 3.3, SSE 4.4):
 *
 *     fragments ─read, adapt─▶ items by id ─load─▶ merge each, in order ─▶ resolve by policy
 *         └─▶ dead letters                     ▲                                 │
 *                                         lost the race ◀── compare-and-set ◀────┘
 *                                                                └─▶ changed items, pending
 *
 * An item that can't be read, merged or stored goes to the dead letters; its neighbours are not held up. One
 * that is more than its tenant may have stays as it was, and is no dead letter: it is to be fetched again.
 * What fails twice in the same way is looked for by halving the batch (`isolate`), whatever the error is.
 * Running it twice changes nothing more. Items without sync data are skipped (FeedSync 2.4, SSE 2.3). Where
 * the collection has a policy (FeedSync 3.4), an item that is still in conflict is resolved; one that was in
 * conflict before the policy was set, when it is next merged. Violations have the protocol's
 * `repeatedItemRule`, or those of `resolveConflicts`.
 * @throws FetchOverError if the fetch is over; some items may be written
 */
export async function mergeFragments(
  ports: MergePorts,
  collection: Collection,
  job: MergeJob,
): Promise<MergeOutcome> {
  const outcome = {
    changed: [] as ItemId[],
    rejected: 0,
    notUnique: 0,
    plain: 0,
    violations: [] as Violation[],
  };
  let exceeded: TenantLimitError | undefined;
  const merge = async (fragments: readonly MergeJob['fragments'][number][]): Promise<void> => {
    const { changed, rejected, notUnique, plain, violations, ...merged } = await mergeTogether(
      ports,
      collection,
      { ...job, fragments: [...fragments] },
    );
    exceeded ??= merged.exceeded;
    for (const id of changed) outcome.changed.push(id);
    outcome.rejected += rejected;
    outcome.notUnique += notUnique;
    outcome.plain += plain;
    for (const violation of violations) outcome.violations.push(violation);
  };
  await isolate(job.fragments, merge, async (fragment, error) => {
    const violation = rejectionOf(
      error,
      'merge-failed',
      sharingProtocolOf(collection).mergeSection,
      fragment,
    );
    await ports.store.deadLetters.add([deadLetter(job, { fragment, violations: [violation] }, ports.now())]);
    outcome.rejected += 1;
  });
  return { ...outcome, ...(exceeded && { exceeded }) };
}

async function mergeTogether(
  ports: MergePorts,
  collection: Collection,
  job: MergeJob,
): Promise<MergeOutcome> {
  const { versions, rejections, plain } = await inSlices(readFragments(collection, job));
  const violations: Violation[] = [];
  const { items } = ports.store;
  let exceeded: TenantLimitError | undefined;
  const changed = await writeItems(items, {
    collection: collection.key,
    ids: [...versions.keys()],
    decide: async (ids, stored) => {
      // After the items were read, which have no mark of a later fetch then; one that gets one is read again.
      if (ports.isInFlight !== undefined && !(await ports.isInFlight())) throw new FetchOverError();
      const undecided = new Map(ids.map((id) => [id, versions.get(id) ?? []]));
      const issued = await issuedRecords(items, collection, stored, idsSignedAsOurs(collection, undecided));
      const known = (id: ItemId): KnownItem => ({ stored: stored.get(id), records: issued.get(id) });
      const decisions = await inSlices(decideAll(ports, collection, job, known, undecided));
      const done = async (lost: ReadonlySet<ItemId>): Promise<void> => {
        const final = decisions.filter(({ id }) => !lost.has(id));
        const sources = final.flatMap(({ id, source }) => (source ? [{ id, ...source }] : []));
        if (sources.length > 0) await items.remember(collection.key, sources, stored);
        for (const decision of final) {
          rejections.push(...decision.rejections);
          violations.push(...decision.violations);
        }
      };
      return { writes: decisions.flatMap(({ write }) => write ?? []), done };
    },
    refuse: (id, error) => void rejections.push(...rejectionsOf(collection, versions.get(id) ?? [], error)),
    exceed: (_id, error) => {
      exceeded ??= error;
    },
  });
  if (rejections.length > 0)
    await ports.store.deadLetters.add(rejections.map((rejection) => deadLetter(job, rejection, ports.now())));
  const notUnique = rejections.flatMap((rejection) =>
    rejection.violations.filter(({ rule }) => rule === notUniqueRule),
  );
  return {
    changed,
    rejected: rejections.length,
    notUnique: notUnique.length,
    plain,
    violations: [...violations, ...notUnique],
    ...(exceeded && { exceeded }),
  };
}

/** The items of which a version says that this endpoint signed it. */
function idsSignedAsOurs(
  collection: Collection,
  versions: ReadonlyMap<ItemId, readonly Incoming[]>,
): ItemId[] {
  const protocol = sharingProtocolOf(collection);
  return [...versions]
    .filter(([, ofItem]) => ofItem.some(({ content }) => protocol.isSignedBy(content, collection.endpoint)))
    .map(([id]) => id);
}

function rejectionsOf(collection: Collection, versions: readonly Incoming[], error: unknown): Rejection[] {
  const { mergeSection } = sharingProtocolOf(collection);
  return versions.map(({ fragment }) => ({
    fragment,
    violations: [rejectionOf(error, 'merge', mergeSection, fragment)],
  }));
}

function* readFragments(
  collection: Collection,
  job: MergeJob,
): Steps<{ versions: Map<ItemId, Incoming[]>; rejections: Rejection[]; plain: number }> {
  const versions = new Map<ItemId, Incoming[]>();
  const rejections: Rejection[] = [];
  let plain = 0;
  const protocol = sharingProtocolOf(collection);
  for (const fragment of job.fragments) {
    const parsed = yield* protocol.read(fragment);
    yield;
    if (parsed.kind === 'rejected') rejections.push({ fragment, violations: parsed.violations });
    if (parsed.kind === 'plain') plain += 1;
    if (parsed.kind !== 'item') continue;
    const { id } = parsed.item.sync;
    const ofItem = versions.get(id) ?? [];
    try {
      ofItem.push({ content: protocol.adapt(parsed.item, collection, job.base), fragment });
      versions.set(id, ofItem);
      yield;
    } catch (error) {
      rejections.push({
        fragment,
        violations: [rejectionOf(error, 'content', protocol.mergeSection, fragment)],
      });
    }
  }
  return { versions, rejections, plain };
}

function* decideAll(
  ports: MergePorts,
  collection: Collection,
  job: MergeJob,
  known: (id: ItemId) => KnownItem,
  versions: ReadonlyMap<ItemId, readonly Incoming[]>,
): Steps<Decision[]> {
  const decisions: Decision[] = [];
  for (const [id, incoming] of versions)
    decisions.push(yield* decide(ports, collection, job, known(id), id, incoming));
  return decisions;
}

function* decide(
  ports: MergePorts,
  collection: Collection,
  job: MergeJob,
  { stored, records }: KnownItem,
  id: ItemId,
  versions: readonly Incoming[],
): Steps<Decision> {
  const fetchPass = fetchPassOf(job.manifest, job.document ?? 'feed');
  const before = stored?.sources.find(({ subscription }) => subscription === job.subscription);
  const isRepeated = before?.fetchPass === fetchPass && before.digest !== versions[0]?.fragment.digest;
  const local = { content: stored && sharedContent(stored.content), records };
  const known = adoptedVersions(collection, local.content, versions, {
    seen: before?.digest,
    isStale: job.isStale,
  });
  const merged = yield* mergeVersions(collection, local, known, {
    isRepeated,
    accepts: ports.acceptsSignatures === true,
  });
  const { content, changed, last, rejections, violations } = merged;
  const seen = versions.at(-1)?.fragment;
  if (known.length === 0 && stored !== undefined && seen !== undefined)
    return {
      id,
      source: {
        subscription: job.subscription,
        // What a stale document shows was not seen: the next one may show it again.
        digest: (job.isStale === true ? before?.digest : undefined) ?? seen.digest,
        fetchPass,
      },
      rejections,
      violations,
    };
  if (last === undefined || content === undefined) return { id, rejections, violations };
  const source = { subscription: job.subscription, digest: last.digest, fetchPass };
  const {
    content: resolved,
    resolution,
    problem,
  } = sharingProtocolOf(collection).resolveConflicts?.(content, collection, ports.modules ?? new Map()) ?? {
    content,
  };
  const { line, column } = last;
  const reported = problem ? [...violations, { ...problem, line, column }] : violations;
  if (!changed && resolution === undefined) return { id, source, rejections, violations: reported };
  const write = itemWrite({ collection, now: ports.now() }, stored, resolved, {
    source,
    ...(merged.records && { issued: merged.records }),
    ...(resolution && { resolution }),
  });
  yield;
  const fault = yield* faultOf(checkPublishedLength(collection, write, ports.publicUrl));
  if (fault !== undefined) {
    const taken = versions.filter(({ fragment }) =>
      rejections.every((rejection) => rejection.fragment !== fragment),
    );
    return { id, rejections: [...rejections, ...rejectionsOf(collection, taken, fault)], violations: [] };
  }
  return { id, write, rejections, violations: reported };
}

/**
 * The versions to be merged: those that were adopted as they are here, without what the item here knows.
 */
function adoptedVersions(
  collection: Collection,
  local: SharedContent | undefined,
  versions: readonly Incoming[],
  sighting: Sighting,
): readonly Incoming[] {
  const { adoption } = sharingProtocolOf(collection);
  return versions.flatMap((version) => {
    if (version.fragment.adopted !== true) return version;
    const content = adoption?.version(local, version.content, sighting);
    return content === undefined ? [] : { ...version, content };
  });
}

function* faultOf(check: Steps<void>): Steps<PublishedLengthError | undefined> {
  try {
    yield* check;
    return undefined;
  } catch (error) {
    if (error instanceof PublishedLengthError) return error;
    throw error;
  }
}

function deadLetter(
  { collection, subscription }: MergeJob,
  { fragment, violations }: Rejection,
  at: Date,
): DeadLetter {
  const { xml, line, column, id, place, adopted } = fragment;
  return {
    id: itemLetterId(collection, subscription, xml),
    collection,
    subscription,
    kind: 'item',
    fragment: {
      xml,
      line,
      column,
      ...(id !== undefined && { id }),
      ...(place && { place }),
      ...(adopted && { adopted }),
    },
    violations,
    at,
  };
}
