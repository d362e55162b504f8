/** An item of the source. */
export interface SourceItem {
  readonly guid: string;
  isHidden: boolean;
  /** What its title says; grows with every change of its text, its links or its files. */
  version: number;
  date: number;
  files: readonly string[];
  onDemand: readonly string[];
  nested?: { readonly feed: string; readonly onDemand: boolean };
}

/** A feed of the source; `date` in seconds. */
export interface SourceFeed {
  date: number;
  items: SourceItem[];
}

export const host = 'source.example';

/** The text of a feed as the source has it. */
export function writeSourceFeed(name: string, { date, items }: SourceFeed): string {
  const written = items.map((item) => {
    const links = [
      ...item.files.map((url) => `<csx:link>${url.slice(`http://${host}/`.length)}</csx:link>`),
      ...item.onDemand.map((url) => `<csx:link onDemand="true">${url}</csx:link>`),
    ];
    const nested =
      item.nested === undefined
        ? ''
        : `<csx:link nestedFeed="true" onDemand="${item.nested.onDemand}">${addressOf(item.nested.feed)}` +
          '</csx:link>';
    return (
      `<item${item.isHidden ? ' csx:hiddenItem="true"' : ''}><guid>${item.guid}</guid>` +
      `<title>${titleOf(item)}</title><x:more xmlns:x="urn:example:more">${links.join(' ')}</x:more>` +
      `${nested}<csx:lastBuildDate>${dateText(item.date)}</csx:lastBuildDate></item>`
    );
  });
  return (
    '<rss version="2.0" xmlns:csx="http://schemas.microsoft.com/rss/2007/contentsyncextensions">' +
    `<channel><title>feed ${name}</title><lastBuildDate>${dateText(date)}</lastBuildDate>` +
    `${written.join('\n')}</channel></rss>`
  );
}

/** What a file says: where it is from, and which of its versions it is. */
export function fileText(url: string, version: number): string {
  return `${url} v${version}`;
}

export function titleOf({ guid, version }: SourceItem): string {
  return `${guid} v${version}`;
}

export function addressOf(feed: string): string {
  return `http://${host}/${feed}.rss`;
}

export function nameOf(url: string): string {
  return /\/([a-z]+)\.rss$/.exec(url)?.[1] ?? '';
}

function dateText(seconds: number): string {
  return new Date(seconds * 1000).toUTCString();
}
