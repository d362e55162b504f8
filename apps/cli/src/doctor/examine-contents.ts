import { createHash } from 'node:crypto';
import { ContentError, pagesOf } from '#core';
import type { CollectionKey, Content, ContentStore, Store } from '#core';
import type { ContentFinding, ContentReport, References } from './content-finding.ts';
import { referrersIn, stepLength } from './tree-references.ts';

/** Where the trees of collections are kept. */
type TreeStore = Pick<Store, 'items' | 'documents' | 'contents'>;

type Findings = Map<string, Pick<ContentFinding, 'problem'> & References>;

/** How many of the items that refer to a content are named. */
const namedItems = 5;

/**
 * Reads every content of a collection and compares its length and digest, then looks for what its items and
 * documents refer to. Changes nothing; that others write and remove meanwhile is no finding.
 * @param progress called with the number of contents read so far
 */
export async function examineContents(
  store: TreeStore,
  collection: CollectionKey,
  progress: (contents: number) => void,
): Promise<ContentReport> {
  const findings: Findings = new Map();
  let [contents, bytes] = [0, 0];
  const unreferenced: Content[] = [];
  for await (const page of pagesOf(
    (page) => store.contents.list(collection, page),
    ({ digest }) => digest,
    stepLength,
  )) {
    for (const content of page) {
      if (!(await isSound(store.contents, content))) findings.set(content.digest, found('damaged'));
      bytes += content.length;
      progress((contents += 1));
    }
    const isReferredTo = await references(
      store,
      collection,
      page.map(({ digest }) => digest),
    );
    unreferenced.push(...page.filter(({ digest }) => !isReferredTo(digest)));
  }
  await findReferrers(store, collection, findings);
  return {
    collection,
    contents,
    bytes,
    unreferenced: sumOf(unreferenced),
    findings: [...findings].map(([digest, finding]) => ({ digest, ...finding })),
  };
}

/** One that is removed while it is read is no longer there to be damaged. */
async function isSound(contents: ContentStore, { collection, digest, length }: Content): Promise<boolean> {
  const hash = createHash('sha256');
  let read = 0;
  try {
    for await (const bytes of contents.read(collection, digest)) {
      hash.update(bytes);
      read += bytes.length;
    }
  } catch (error) {
    if (!(error instanceof ContentError)) throw error;
    return error.problem === 'missing';
  }
  return read === length && hash.digest('hex') === digest;
}

/** Adds what is referred to and missing, and who refers to it and to what is damaged. */
async function findReferrers(store: TreeStore, collection: CollectionKey, findings: Findings): Promise<void> {
  for await (const referrers of referrersIn(store, collection)) {
    const there = await store.contents.load(collection, [
      ...new Set(referrers.flatMap(({ digests }) => digests)),
    ]);
    for (const { kind, name, digests } of referrers) {
      for (const digest of digests) {
        const finding = findings.get(digest) ?? (there.has(digest) ? undefined : found('missing'));
        if (finding === undefined) continue;
        findings.set(digest, finding);
        if (kind === 'document') finding.documents.push(name);
        else if ((finding.itemCount += 1) <= namedItems) finding.items.push(name);
      }
    }
  }
  // The last reference may have gone, and the content after it, since the reference was read.
  const missing = [...findings].flatMap(([digest, { problem }]) => (problem === 'missing' ? [digest] : []));
  const isReferredTo = await references(store, collection, missing);
  for (const digest of missing) if (!isReferredTo(digest)) findings.delete(digest);
}

function found(problem: ContentFinding['problem']): Pick<ContentFinding, 'problem'> & References {
  return { problem, itemCount: 0, items: [], documents: [] };
}

async function references(
  { items, documents }: TreeStore,
  collection: CollectionKey,
  digests: readonly string[],
): Promise<(digest: string) => boolean> {
  const [byItems, byDocuments] = [
    await items.referring(collection, digests),
    await documents.referring(collection, digests),
  ];
  return (digest) => byItems.has(digest) || byDocuments.has(digest);
}

function sumOf(contents: readonly Content[]): ContentReport['unreferenced'] {
  const [since] = contents
    .flatMap(({ unreferencedSince }) =>
      unreferencedSince === undefined ? [] : [unreferencedSince.toISOString()],
    )
    .toSorted();
  return {
    contents: contents.length,
    bytes: contents.reduce((sum, { length }) => sum + length, 0),
    ...(since !== undefined && { since }),
  };
}
