import { createHash } from 'node:crypto';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { keep, run } from '#programs';
import { installFeedparser, runWithFeedparser } from '../../support/feedparser.ts';
import type { Readings } from './read-item.ts';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

type Documents = ReadonlyMap<string, string | Uint8Array>;

/** Reads documents, each below an address as its name. */
export type Read = (documents: Documents, origin: string) => Promise<Readings>;

/** Programs that read feeds; each is installed from its own registry when it is first opened. */
const programs = { feedparser, gofeed, feedsmith } as const;
export type ReaderName = keyof typeof programs;
export const readerNames = Object.keys(programs) as readonly ReaderName[];

/** Opens a program; undefined, with a line in the output, if this machine can't install it. */
export async function openReader(name: ReaderName): Promise<Read | undefined> {
  try {
    return await programs[name]();
  } catch (error) {
    console.warn(`SKIPPED: ${name} can't be installed here: ${String(error)}`);
    return undefined;
  }
}

async function feedparser(): Promise<Read> {
  await installFeedparser();
  return (documents, origin) =>
    readFiles(documents, (folder) => runWithFeedparser(here('read-with-feedparser.py'), folder, origin));
}

async function gofeed(): Promise<Read> {
  const names = ['go.mod', 'go.sum', 'main.go'];
  const sources = names.map((name) => here(`gofeed/${name}`));
  const program = await keep('go', `gofeed-${await digest(sources)}`, async (folder) => {
    for (const name of names) await cp(here(`gofeed/${name}`), join(folder, name));
    // A workspace may name modules that are not part of this one.
    const environment = { ...process.env, GOWORK: 'off', GOFLAGS: '-mod=readonly' };
    await run('go', ['build', '-o', 'gofeed', '.'], { cwd: folder, environment });
    return join(folder, 'gofeed');
  });
  return (documents) => readFiles(documents, (folder) => run(program, [folder]));
}

async function feedsmith(): Promise<Read> {
  const { readWithFeedsmith } = await import('./read-with-feedsmith.ts');
  return async (documents) => {
    const readings = [...documents].map(
      ([name, document]) => [name, readWithFeedsmith(Buffer.from(document).toString())] as const,
    );
    return Promise.resolve(Object.fromEntries(readings));
  };
}

/** Writes the documents into a folder, and has a program read it. */
async function readFiles(documents: Documents, read: (folder: string) => Promise<string>): Promise<Readings> {
  const folder = await mkdtemp(join(tmpdir(), 'feedmesh-wild-feeds-'));
  try {
    for (const [name, document] of documents) await writeFile(join(folder, name), document);
    return JSON.parse(await read(folder)) as Readings;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function digest(files: readonly string[]): Promise<string> {
  const hash = createHash('sha256');
  for (const file of files) hash.update(await readFile(file));
  return hash.digest('hex').slice(0, 12);
}
