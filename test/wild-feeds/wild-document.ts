import { readdirSync, readFileSync } from 'node:fs';

/** The formats that a collection can have. */
export const formats = ['atom', 'rss'] as const;
export type Format = (typeof formats)[number];

export interface WildAuthor {
  readonly name: string;
  readonly email?: string;
  readonly uri?: string;
}

export interface WildEnclosure {
  readonly url: string;
  readonly type?: string | null;
  readonly length?: number | null;
}

/** Some of the values of an item. Absent: nothing is expected of the value; null: the item has none. */
export interface WildItem {
  readonly title?: string | null;
  readonly titleType?: string | null;
  readonly link?: string | null;
  readonly content?: string | null;
  readonly contentType?: string | null;
  readonly summary?: string | null;
  readonly summaryType?: string | null;
  /** RFC 3339. */
  readonly published?: string | null;
  readonly authors?: readonly WildAuthor[] | null;
  readonly enclosures?: readonly WildEnclosure[] | null;
  readonly image?: string | null;
  readonly categories?: readonly string[] | null;
}

/** The items that a document has, in the order of the document. */
export interface Expectation {
  /** The formats of the collections that take the document in; absent: all. */
  readonly formats?: readonly Format[];
  /** The media type that the server sends. */
  readonly contentType?: string;
  /** Why these are the right values. */
  readonly note: string;
  readonly items: readonly WildItem[];
  /** What is different in the feeds for readers, item by item. */
  readonly reader?: readonly WildItem[];
  /** How many items are created; absent: as many as there are items. */
  readonly events?: number;
}

/** A feed as it is found on the web. */
export interface WildDocument {
  readonly file: string;
  /** Whether it is written as a publisher's program writes it; others show one rule each. */
  readonly isPublishers: boolean;
  readonly body: Uint8Array;
  readonly contentType: string;
  readonly formats: readonly Format[];
  /** Expectations with the origin of the server in place of `{origin}`. */
  expected(origin: string): Expectation;
}

const folders = ['publishers', 'rules'] as const;
type Folder = (typeof folders)[number];
const corpus = new URL('corpus/', import.meta.url);
const suffix = '.expected.json';

const mediaTypes: Readonly<Record<string, string>> = {
  xml: 'application/xml',
  json: 'application/feed+json',
  html: 'text/html',
};

/** The documents of the corpus, by folder and name. */
export function wildDocuments(): readonly WildDocument[] {
  return folders.flatMap((folder) =>
    readdirSync(new URL(`${folder}/`, corpus))
      .filter((file) => !file.endsWith(suffix))
      .toSorted()
      .map((file) => readDocument(folder, file)),
  );
}

function readDocument(folder: Folder, file: string): WildDocument {
  const at = new URL(`${folder}/`, corpus);
  const end = file.lastIndexOf('.');
  const text = readFileSync(new URL(`${file.slice(0, end)}${suffix}`, at), 'utf8');
  const { contentType, formats: some = formats } = JSON.parse(text) as Expectation;
  return {
    file,
    isPublishers: folder === 'publishers',
    body: readFileSync(new URL(file, at)),
    contentType: contentType ?? mediaTypes[file.slice(end + 1)] ?? 'text/plain',
    formats: some,
    expected: (origin) => JSON.parse(text.replaceAll('{origin}', origin)) as Expectation,
  };
}
