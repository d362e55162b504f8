import { SaxesParser } from 'saxes';

// Char of XML 1.0 (2.2).
const forbidden = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/u;

/**
 * Why a published document is not one that every XML parser with namespaces takes; undefined for one that is.
 */
export function faultIn(xml: string): string | undefined {
  const character = forbidden.exec(xml);
  if (character !== null) return `has U+${character[0].charCodeAt(0).toString(16)} at ${character.index}`;
  const parser = new SaxesParser({ xmlns: true });
  let fault: string | undefined;
  parser.on('error', ({ message }) => {
    fault ??= message.slice(0, 200);
  });
  parser.write(xml).close();
  return fault;
}
