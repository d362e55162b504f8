import type { Module } from './table.ts';

const start = '<!-- boundaries: made by `npm run boundaries` from tools/boundaries/table.ts -->';
const end = '<!-- end of boundaries -->';

/** Returns a page with the table of these modules in place of the one between its two marks. */
export function withTable(page: string, modules: readonly Module[]): string {
  const [before, rest] = page.split(start);
  const after = rest?.split(end)[1];
  if (before === undefined || after === undefined) throw new Error(`the page has no marks ${start} … ${end}`);
  const rows = modules.map(
    ({ folder, holds, imports }) =>
      `| \`${folder}\` | ${holds} | ${imports.map(asCode).join(', ') || 'nothing'} |`,
  );
  const table = ['| Module | What it holds | May import |', '|---|---|---|', ...rows];
  return `${before}${start}\n${table.join('\n')}\n${end}${after}`;
}

function asCode(name: string): string {
  return `\`${name}\``;
}
