/** What is repeated in a text that is to make a reader slow, such as one that tries again at each place. */
const patterns: readonly string[] = [
  ...Array.from('a 0@<>()[]{}&;,.-_/:"\'\\=%#?+*~^|$!`\n\t\r\0\u00e9\u2028\ufeff'),
  '\u{1f600}',
  '\ud800',
  'a ',
  'a,',
  'a;',
  'a.',
  'a@',
  '@(',
  '(a)',
  '<b>',
  '</b>',
  '<b/>',
  '<b a="',
  '<a href="b">',
  '<a href=b ',
  '&amp;',
  '&#1',
  '&#x',
  '&lt',
  '&lt;b&gt;',
  '<!--',
  '-->',
  '<!-',
  '<![CDATA[',
  ']]>',
  ']]',
  '<?x ',
  '?>',
  '<!DOCTYPE ',
  'http://',
  'http://a/',
  'http://a?utm_a=b&',
  'utm_a&',
  '//',
  '/./',
  '../',
  '%2e',
  '%41',
  '\r\n',
  '\n ',
  ', ',
  'a=b;',
  'a=b,',
  'a="b",',
  'a="\\"',
  '; q=0.1,',
  'a/b;q=0.1,',
  'W/"a",',
  '"a",',
  'bytes=0-1,',
  '0-1,',
  '00:',
  '1-',
  'Mon, ',
  '2026-01-01T',
  ' xmlns:a="b"',
  ' a="b"',
  'xml:base="',
  'User-agent: *\n',
  'Disallow: /*\n',
  '*a',
  '<a>;rel="b",',
  'hub.mode=a&',
  '[1,',
  '{"a":',
  '"a":1,',
  '1e',
  'é ',
];

/** A shape of a text: `size` UTF-16 code units. */
export interface TextShape {
  readonly name: string;
  readonly text: (size: number) => string;
}

/** What stands at the end, so that a pattern for the whole text fails there. */
const tails = { '': '', ' and a wrong end': '\0(<"\\' };

/** Texts that consist of one pattern, with and without an end that fits to nothing. */
export const textShapes: readonly TextShape[] = patterns.flatMap((pattern) =>
  Object.entries(tails).map(([ending, tail]) => ({
    name: `${JSON.stringify(pattern)} repeated${ending}`,
    text: (size: number) => pattern.repeat(Math.ceil(size / pattern.length)).slice(0, size) + tail,
  })),
);
