import { createHash } from 'node:crypto';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { keep, run } from '#programs';
import { readWithFeedsmith } from './feedsmith.ts';
import type { Readings } from './read-item.ts';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** Programs that read feeds, each installed from its own registry when it is first used. */
export const readers = { feedparser, gofeed, feedsmith } as const;
export type ReaderName = keyof typeof readers;

type Documents = ReadonlyMap<string, string | Uint8Array>;

async function feedparser(documents: Documents, origin: string): Promise<Readings> {
  const requirements = here('feedparser/requirements.txt');
  const library = await keep('python', `feedparser-${await digest([requirements])}`, async (target) => {
    const options = ['--quiet', '--require-hashes', '--target', target, '-r', requirements];
    await run('python3', ['-m', 'pip', 'install', ...options]);
    return target;
  });
  const environment = { ...process.env, PYTHONPATH: library };
  return readFiles(documents, (folder) =>
    run('python3', [here('feedparser/read.py'), folder, origin], { environment }),
  );
}

async function gofeed(documents: Documents): Promise<Readings> {
  const names = ['go.mod', 'go.sum', 'main.go'];
  const sources = names.map((name) => here(`gofeed/${name}`));
  const program = await keep('go', `gofeed-${await digest(sources)}`, async (folder) => {
    for (const name of names) await cp(here(`gofeed/${name}`), join(folder, name));
    await run('go', ['build', '-o', 'gofeed', '.'], { cwd: folder, environment: goEnvironment() });
    return join(folder, 'gofeed');
  });
  return readFiles(documents, (folder) => run(program, [folder]));
}

/** A workspace may name modules that are not part of this one. */
function goEnvironment(): NodeJS.ProcessEnv {
  return { ...process.env, GOWORK: 'off', GOFLAGS: '-mod=readonly' };
}

async function feedsmith(documents: Documents): Promise<Readings> {
  const readings = [...documents].map(
    ([name, document]) => [name, readWithFeedsmith(Buffer.from(document).toString())] as const,
  );
  return Promise.resolve(Object.fromEntries(readings));
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
