import type { SharingOfFeed } from './feed.ts';

/** What an outline is besides its id. */
interface Outline {
  /** Its modifications, the last first, each as `version by`; `1 there` if absent. */
  readonly history?: readonly string[];
  readonly text?: string;
  /** The outlines in it. */
  readonly children?: readonly string[];
}

/** An outline of SSE. */
export function outline(
  id: string,
  { history = ['1 there'], text = id, children = [] }: Outline = {},
): string {
  const [version = ''] = history[0]?.split(' ') ?? [];
  return outlineWithSync(
    `<sx:sync id="${id}" version="${version}">${historyElement(history)}</sx:sync>`,
    text,
    children,
  );
}

/** An outline with this `sx:sync`, written out. */
export function outlineWithSync(sync: string, text: string, children: readonly string[] = []): string {
  return [`<outline text="${text}">`, sync, ...children, '</outline>'].join('\n');
}

/** An `sx:history`; each modification was made on the day of its version. */
export function historyElement([last = '', ...updates]: readonly string[]): string {
  return `<sx:history ${modification(last)}>${updates
    .map((update) => `<sx:update ${modification(update)}/>`)
    .join('')}</sx:history>`;
}

function modification(text: string): string {
  const [version = '', by = ''] = text.split(' ');
  return `when="${version.padStart(2, '0')} Jan 2026 09:00:00 GMT" by="${by}"`;
}

/** A document with these outlines. `since` and `until` are dates of RFC 822. */
export function opml(outlines: readonly string[], sharing: SharingOfFeed = {}, title = 'Reading'): string {
  return `<?xml version="1.0" encoding="utf-8"?>
<opml version="1.0" xmlns:sx="https://www.microsoft.com/schemas/rss/sse">
<head>
<title>${title}</title>
${sharingElement(sharing)}
</head>
<body>
${outlines.join('\n')}
</body>
</opml>
`;
}

function sharingElement({ since, until, complete }: SharingOfFeed): string {
  const given = Object.entries({ since, until }).flatMap(([name, value]) =>
    value === undefined ? [] : [` ${name}="${value}"`],
  );
  return `<sx:sharing version="0.91"${given.join('')}>${
    complete === undefined ? '' : `<sx:related type="complete" link="${complete}"/>`
  }</sx:sharing>`;
}
