import { Parser } from 'htmlparser2';

const xhtml = /^(?:xmlns(?::.*)?|xml:.*)$/;

/**
 * Markup in a form in which two texts are the same if a browser shows the same: references decoded, white
 * space collapsed, attributes sorted, without the `div` that XHTML of Atom stands in.
 * @param type `html`, `xhtml`, or else plain text
 */
export function canonicalMarkup(value: string, type: string | undefined): string {
  if (type !== 'html' && type !== 'xhtml') return collapsed(escaped(value));
  let written = '';
  const parser = new Parser({
    onopentag: (name, attributes) => {
      const kept = Object.entries(attributes).filter(([key]) => !xhtml.test(key));
      const sorted = kept.map(([key, text]) => ` ${key}="${escaped(text).trim()}"`).toSorted();
      written += `<${localName(name)}${sorted.join('')}>`;
    },
    ontext: (text) => void (written += escaped(text)),
    onclosetag: (name) => void (written += `</${localName(name)}>`),
  });
  parser.end(value);
  const markup = collapsed(written);
  const inside = type === 'xhtml' ? /^<div>(.*)<\/div>$/s.exec(markup)?.[1] : undefined;
  return collapsed(inside ?? markup);
}

/** The text that a browser shows of a value, on one line. */
export function plainText(value: string, type: string | undefined): string {
  if (type !== 'html' && type !== 'xhtml') return oneLine(value);
  let written = '';
  const parser = new Parser({
    onopentag: (name) => void (written += name === 'br' ? ' ' : ''),
    ontext: (text) => void (written += text),
  });
  parser.end(value);
  return oneLine(written);
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

function localName(name: string): string {
  return name.replace(/^.*:/, '').toLowerCase();
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function collapsed(text: string): string {
  return text
    .replace(/[\t\n\r ]+/g, ' ')
    .replace(/ ?(<\/?(?:p|div|br|ul|li)\b[^>]*>) ?/g, '$1')
    .trim();
}
