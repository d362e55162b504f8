import { createHash } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join, relative, sep } from 'node:path';
import { localServer } from './local-server.ts';

/** A link of an item: an address, or one with attributes. */
export type SiteLink =
  | string
  | { readonly to: string; readonly nestedFeed?: boolean; readonly onDemand?: boolean };

/** A site of feeds and files that counts what is requested. */
export class Site {
  /** By path with query; a function responds itself. */
  readonly documents = new Map<string, string | ((response: ServerResponse) => void)>();
  /** What was answered since `takeAnswers`: `200 /path`, or `own /path` by a function. */
  answers: string[] = [];
  readonly #changes = new EventEmitter();
  url = '';

  static async open(): Promise<Site> {
    const site = new Site();
    await site.start();
    return site;
  }

  /** Begins anew: without documents, at another address. */
  async start(): Promise<void> {
    this.documents.clear();
    this.answers = [];
    const { url } = await localServer(({ url: path = '', headers }, response) => {
      const document = this.documents.get(path);
      if (typeof document === 'function') {
        this.#add(`own ${path}`);
        document(response);
        return;
      }
      const etag = `"${createHash('sha256')
        .update(document ?? '')
        .digest('hex')}"`;
      const status = document === undefined ? 404 : headers['if-none-match'] === etag ? 304 : 200;
      this.#add(`${status} ${path}`);
      response.writeHead(status, { etag }).end(status === 200 ? document : undefined);
    });
    this.url = url;
  }

  /** Ends when this has been answered, or so many times anything. */
  async answered(answer: string | number): Promise<void> {
    while (typeof answer === 'number' ? this.answers.length < answer : !this.answers.includes(answer))
      await once(this.#changes, 'answer');
  }

  #add(answer: string): void {
    this.answers.push(answer);
    this.#changes.emit('answer');
  }

  /** What was answered since the last call, sorted. */
  takeAnswers(): readonly string[] {
    const answers = this.answers.toSorted();
    this.answers = [];
    return answers;
  }
}

/** A day of October 2006 as a date of RFC 822. */
export function day(number: number): string {
  return new Date(Date.UTC(2006, 9, number, 6)).toUTCString();
}

export function siteFeed(built: number, items: readonly string[]): string {
  return [
    '<?xml version="1.0"?>',
    '<rss version="2.0" xmlns:csx="http://schemas.microsoft.com/rss/2007/contentsyncextensions"><channel>' +
      '<title>T</title>',
    `<lastBuildDate>${day(built)}</lastBuildDate>`,
    ...items,
    '</channel></rss>',
  ].join('\n');
}

export function siteItem(guid: string, built: number, links: readonly SiteLink[]): string {
  return (
    `<item><guid>${guid}</guid><csx:lastBuildDate>${day(built)}</csx:lastBuildDate>` +
    `${links.map(linkText).join('')}</item>`
  );
}

function linkText(link: SiteLink): string {
  const { to, nestedFeed, onDemand } = typeof link === 'string' ? { to: link } : link;
  return (
    `<csx:link${nestedFeed ? ' nestedFeed="true"' : ''}${onDemand ? ' onDemand="true"' : ''}>` +
    `${to.replaceAll('&', '&amp;')}</csx:link>`
  );
}

/** The files of a mirror by their paths with `/`, without its state. */
export function filesOf(folder: string): Record<string, string> {
  if (!existsSync(folder)) return {};
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((path) => join(folder, path))
    .filter((path) => statSync(path).isFile());
  const entries = paths.map((path): [string, string] => [
    relative(folder, path).split(sep).join('/'),
    readFileSync(path, 'utf8'),
  ]);
  return Object.fromEntries(entries.filter(([path]) => !path.startsWith('.feedmesh-sync/')).toSorted(byPath));
}

/** The order in which records of paths are compared. */
export function byPath([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : 1;
}

/** The folders of a mirror, without its state. */
export function foldersOf(folder: string): readonly string[] {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) =>
    statSync(join(folder, path)).isDirectory(),
  );
  return paths.filter((path) => !path.startsWith('.feedmesh-sync')).toSorted();
}
