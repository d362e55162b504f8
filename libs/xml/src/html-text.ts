const named: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
  ['nbsp', '\u00A0'],
]);
const largestCodePoint = 0x10_ff_ff;

/**
 * What HTML says without its tags, for a place that has plain text only; a reference with a name of its own
 * stays as it is.
 */
export function textOfHtml(html: string): string {
  return html
    .replace(/<[^<>]*>/g, '')
    .replace(
      /&(?:#x([0-9a-f]{1,6})|#([0-9]{1,7})|([a-z]{1,4}));/gi,
      (reference, hexadecimal?: string, decimal?: string, name?: string) => {
        if (name !== undefined) return named.get(name) ?? reference;
        const code = hexadecimal === undefined ? Number(decimal) : Number.parseInt(hexadecimal, 16);
        const isCharacter =
          code === 0x09 ||
          code === 0x0a ||
          code === 0x0d ||
          (code >= 0x20 && code < 0xd800) ||
          (code >= 0xe000 && code <= 0xfffd) ||
          (code > 0xffff && code <= largestCodePoint);
        return isCharacter ? String.fromCodePoint(code) : reference;
      },
    )
    .trim();
}
