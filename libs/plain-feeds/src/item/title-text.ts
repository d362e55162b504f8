import { decodeHTMLStrict } from 'entities';

const reference = /&(?:#[0-9]{1,7}|#x[0-9a-f]{1,6}|[a-z][a-z0-9]{1,30});/gi;
const paired =
  'a|abbr|b|big|center|cite|code|del|div|em|font|h[1-6]|i|ins|mark|p|q|s|small|span|strike|strong|sub|' +
  'sup|tt|u';
const pair = new RegExp(String.raw`<(${paired})(?:\s[^<>]*)?>([^<>]*)</\1\s*>`, 'gi');
const single = /<(?:img|wbr|hr)(?:\s[^<>]*)?\/?>/gi;
const lineBreak = /<br(?:\s[^<>]*)?\/?>/gi;

/** How deep the tags in a title may nest. */
const deepest = 5;

/**
 * A title as plain text: without tags of HTML, with the characters that its references stand for. A tag that
 * is not closed is what the title is about.
 */
export function titleText(title: string): string {
  const text = withoutTags(title).replace(reference, (written) => decodeHTMLStrict(written));
  return text === title ? title : text.replace(/\s+/g, ' ').trim();
}

function withoutTags(title: string): string {
  if (!title.includes('<')) return title;
  let text = title.replace(lineBreak, ' ').replace(single, '');
  for (let depth = 0; depth < deepest; depth += 1) {
    const shorter = text.replace(pair, '$2');
    if (shorter === text) break;
    text = shorter;
  }
  return text;
}
