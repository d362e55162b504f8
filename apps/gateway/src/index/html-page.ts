import { createHash } from 'node:crypto';
import { escapeHtml } from './escape-html.ts';

const style = [
  'body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 ' +
    '1rem;color:#222;background:#fff}',
  'table{border-collapse:collapse;width:100%}th,td{text-align:left;vertical-align:top;padding:.4rem ' +
    '.8rem .4rem 0;border-top:1px solid #ccc}',
  'td{overflow-wrap:anywhere}nav a,td a{margin-right:.8rem}small{color:#555}',
  '@media(prefers-color-scheme:dark){body{color:#ddd;background:#181818}a{color:#8bf}small{color:#aaa}th,' +
    'td{border-color:#444}}',
].join('');

/** What a page may do: be shown, with its own style. */
export const pagePolicy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

interface HtmlPage {
  readonly title: string;
  /** Lines of HTML. */
  readonly head?: readonly string[];
  readonly body: readonly string[];
}

/** A page for people, with the style of all. */
export function writeHtmlPage({ title, head = [], body }: HtmlPage): string {
  return [
    '<!DOCTYPE html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width">',
    `<title>${escapeHtml(title)}</title>`,
    `<style>${style}</style>`,
    ...head,
    '</head>',
    '<body>',
    ...body,
    '</body>',
    '</html>',
    '',
  ].join('\n');
}

/** A link. */
export function anchor(url: string, text: string): string {
  return `<a href="${escapeHtml(url)}">${escapeHtml(text)}</a>`;
}
