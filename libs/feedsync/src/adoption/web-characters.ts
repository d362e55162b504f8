/** What windows-1252 has where Unicode has control characters, from U+0080 to U+009F. */
const characters = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008DŽ\u008F\u0090‘’“”•–—˜™š›œ\u009DžŸ';

const control = /&#(?:x0{0,5}([89][0-9a-f])|0{0,5}(1(?:2[89]|[345][0-9])));|[\u0080-\u009F]/gi;

/**
 * Returns XML in which each control character from U+0080 to U+009F, and each reference to one, is the
 * character of windows-1252 that its author meant, as browsers show it (HTML 13.2.5.80): `&#146;` is \u2019.
 */
export function withWebCharacters(xml: string): string {
  return xml.replace(control, (found, hexadecimal?: string, decimal?: string) => {
    const code =
      hexadecimal === undefined ? Number(decimal ?? found.charCodeAt(0)) : Number.parseInt(hexadecimal, 16);
    return characters[code - 0x80] ?? found;
  });
}
