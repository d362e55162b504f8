import { readFeed } from '#plain-feeds';
import type { ReadFeed } from '#plain-feeds';
import { protocolOfDocument } from '#protocols';
import { beginningText, DocumentBeginning, FeedError } from '#xml';
import type { DocumentKind, FeedHead, Fragment, Violation } from '#xml';
import { AdoptionOutlook } from './adoption-outlook.ts';
import type { Outlook } from './adoption-outlook.ts';
import { ExaminedItems } from './examined-items.ts';
import type { SourceBytes } from './source.ts';

/** What a feed holds and where it departs from the rules. */
export interface Examination {
  /** What the document is, as far as its beginning shows. */
  readonly document: Pick<DocumentKind, 'kind' | 'name'>;
  /** The format that it is read in. Absent if the document could not be read to its end. */
  readonly format?: FeedHead['format'];
  readonly items: number;
  /** How many of the items have sync data. */
  readonly syncedItems: number;
  /** How many have none; 0 of a feed of a tree, which needs none. */
  readonly plainItems: number;
  /** How many of these a subscription would adopt, how many it would leave out, and why. */
  readonly adoptedItems: number;
  readonly leftOutItems: number;
  readonly leftOutReasons: readonly string[];
  /** In the order of their places. */
  readonly violations: readonly Violation[];
}

/** How many bytes of a document are looked at for its protocol: more than its root and namespaces take. */
const beginningLength = 8192;

/**
 * Reads a feed as a subscription does, to its end or to where it stops being one, and collects every
 * violation: of its format, of the synchronisation data of its items by its protocol, of protocols for trees
 * of feeds if an item has any, and what was mended.
 * @param progress called with the number of items read so far
 * @throws CommandError if the bytes can't be read
 */
export async function examineFeed(
  { url = 'about:blank', contentType, chunks }: SourceBytes,
  progress: (items: number) => void,
): Promise<Examination> {
  const beginning = new DocumentBeginning();
  const { first, body } = await begin(chunks, beginning);
  const protocol = protocolOfDocument(beginningText(first, contentType));
  const items = new ExaminedItems(protocol);
  const outlook = protocol.adoption && new AdoptionOutlook(protocol.adoption, url);
  const take = async (fragments: readonly Fragment[]): Promise<void> => {
    for (const fragment of fragments) {
      items.take(fragment);
      progress(items.count);
    }
    outlook?.take(fragments);
  };
  const document = { url, body, ...(contentType !== undefined && { contentType }) };
  const tolerance = outlook?.tolerance(() => items.restart());
  try {
    const read = await readFeed(document, { dialect: protocol.dialect, tolerance }, take);
    return examination(beginning, items, outlook?.end(read.head), read);
  } catch (error) {
    if (!(error instanceof FeedError)) throw error;
    return examination(beginning, items, undefined, error);
  }
}

/** @param end what was read, or why it could not be read to its end */
function examination(
  { kind: { kind, name } }: DocumentBeginning,
  items: ExaminedItems,
  outlook: Outlook | undefined,
  end: ReadFeed | FeedError,
): Examination {
  const { count, synced, isOfTree } = items;
  const isRead = !(end instanceof FeedError);
  const plainItems = isOfTree ? 0 : count - synced;
  const { adopted, leftOut, reasons, violations } = (!isOfTree && outlook) || {
    adopted: 0,
    leftOut: isRead ? plainItems : 0,
    reasons: [],
    violations: [],
  };
  const found = isRead ? [...items.violations(end), ...violations] : [...items.violations(), end.violation];
  return {
    document: { kind, name },
    ...(isRead && { format: end.head.format }),
    items: count,
    syncedItems: synced,
    plainItems,
    adoptedItems: adopted,
    leftOutItems: leftOut,
    leftOutReasons: reasons,
    violations: found.sort(byPlace),
  };
}

/** Reads the first bytes of a document; returns them, and all of it. */
async function begin(
  chunks: AsyncIterable<Uint8Array>,
  beginning: DocumentBeginning,
): Promise<{ readonly first: Uint8Array; readonly body: AsyncIterable<Uint8Array> }> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  const rest = chunks[Symbol.asyncIterator]();
  while (length < beginningLength) {
    const { done, value } = await rest.next();
    if (done === true) break;
    beginning.take(value);
    pieces.push(value);
    length += value.length;
  }
  const first = Buffer.concat(pieces);
  const body = (async function* all(): AsyncGenerator<Uint8Array> {
    yield first;
    yield* { [Symbol.asyncIterator]: () => rest };
  })();
  return { first, body };
}

function byPlace(a: Violation, b: Violation): number {
  return a.line - b.line || a.column - b.column;
}
