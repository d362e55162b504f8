import { CommandError, exitCode } from '../command-error.ts';
import type { Io } from '../io.ts';
import { readInput } from '../read-input.ts';

/** What the options of a command say of an item's content and place. */
export interface ItemOptions {
  readonly title?: string;
  readonly content?: string;
  /** Where the content is read from: a path, or `-` for stdin. */
  readonly file?: string;
  readonly contentType?: 'text' | 'html' | 'xhtml';
  readonly summary?: string;
  readonly link?: string;
  readonly category?: readonly string[];
  readonly rights?: string;
  /** Of an outline, by name. */
  readonly attribute?: Readonly<Record<string, string>>;
  /** XML. */
  readonly payload?: string;
  /** The outline that the item stands in; `root` for none. */
  readonly parent?: string;
  readonly position?: number;
  /** Where an item, or a part of one, is read from as JSON: a path, or `-` for stdin. */
  readonly json?: string;
  /** The fields to remove. */
  readonly unset?: readonly string[];
}

/** What the service says of an item, and nobody can give it. */
const readOnly = [
  'sync',
  'conflicts',
  'revision',
  'createdAt',
  'updatedAt',
  'version',
  'lastBuildDate',
  'deleted',
];

/** What is to change of an item, and the revision of the JSON that said so, if it had one. */
export interface ItemPatch {
  /** A merge patch (RFC 7396): what is absent stays, `null` removes. */
  readonly fields: Readonly<Record<string, unknown>>;
  readonly revision?: number;
}

/**
 * Reads what options say of an item: the JSON of `--json` without what only the service can say, changed by
 * the other options.
 * @throws CommandError (64) if two options read stdin or the JSON is no object; (2) if a file can't be read
 */
export async function readItemPatch(options: ItemOptions, io: Io): Promise<ItemPatch> {
  if (options.file === '-' && options.json === '-')
    throw new CommandError('only one of --file and --json can be stdin (-)', exitCode.usage);
  const given = options.json === undefined ? {} : parseItem(options.json, await readText(options.json, io));
  const content = options.file === undefined ? options.content : await readText(options.file, io);
  const {
    title,
    contentType,
    summary,
    link,
    category: categories,
    rights,
    attribute: attributes,
    payload,
    parent,
    position,
    unset = [],
  } = options;
  const fields = {
    title,
    content,
    summary,
    link,
    categories,
    rights,
    attributes,
    payload,
    position,
    parent: parent === 'root' ? null : parent,
    contentType,
  };
  const changes = Object.entries(fields).filter(([, value]) => value !== undefined);
  const { revision } = given;
  return {
    fields: {
      ...Object.fromEntries(Object.entries(given).filter(([name]) => !readOnly.includes(name))),
      ...Object.fromEntries(changes),
      ...Object.fromEntries(unset.map((name) => [name, null])),
    },
    ...(typeof revision === 'number' && { revision }),
  };
}

async function readText(source: string, io: Io): Promise<string> {
  return new TextDecoder().decode(await readInput(source, io));
}

function parseItem(source: string, text: string): Record<string, unknown> {
  try {
    const value = JSON.parse(text) as unknown;
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return value as Record<string, unknown>;
  } catch (error) {
    throw new CommandError(
      `--json: ${source === '-' ? 'stdin' : source} is not JSON: ${(error as Error).message}`,
      exitCode.usage,
      { cause: error },
    );
  }
  throw new CommandError(
    `--json: ${source === '-' ? 'stdin' : source} must be a JSON object`,
    exitCode.usage,
  );
}
