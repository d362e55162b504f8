import { describe, expect, test } from '@jest/globals';
import { decodeText } from './decode-text.ts';

function rss(title: string, encoding?: string): string {
  const declaration = encoding === undefined ? '' : `<?xml version="1.0" encoding="${encoding}"?>`;
  return `${declaration}<rss><title>${title}</title></rss>`;
}

/** The bytes of a text, with one of a Latin letter or symbol for each character up to U+00FF. */
const latin = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'latin1'));
const utf8 = (text: string): Uint8Array => new Uint8Array(Buffer.from(text));
/** The bytes of a text in UTF-8, without the one at the end of the first place where another text stands. */
function cut(text: string, after: string): Uint8Array {
  const bytes = Buffer.from(text);
  const end = bytes.indexOf(after) + Buffer.byteLength(after);
  return new Uint8Array(Buffer.concat([bytes.subarray(0, end - 1), bytes.subarray(end)]));
}

describe('one byte that is no character', () => {
  test.each([
    ['of UTF-8 by its declaration', cut(rss('Привет, мир', 'utf-8'), 'Прив'), undefined],
    ['of UTF-8 that says nothing', cut(rss('Привет, мир'), 'Прив'), undefined],
    ['of UTF-8 by its media type', cut(rss('Привет, мир'), 'Прив'), 'text/xml; charset=utf-8'],
    [
      'of UTF-8 whatever the declaration says',
      cut(rss('Привет, мир', 'iso-8859-1'), 'Прив'),
      'a/b; charset=utf-8',
    ],
  ])('%s is U+FFFD, and all others stay', (_of, bytes, type) => {
    const { text, fault } = decodeText(bytes, type);
    expect([text.includes('При\uFFFDет, мир'), fault]).toEqual([true, 'bytes']);
  });

  test('is U+FFFD in a document that says UTF-8, if it is the only one beyond ASCII', () => {
    expect(decodeText(latin(rss('caf\xe9', 'utf-8')), undefined).text).toBe(rss('caf\uFFFD', 'utf-8'));
  });
});

test('bytes that are no UTF-8 at all are windows-1252, if nothing says otherwise', () => {
  expect(decodeText(latin(rss('\x93caf\xe9\x94')), undefined)).toEqual({
    text: rss('“café”'),
    fault: 'encoding',
  });
});

test('the declaration counts where the media type names another encoding in vain', () => {
  const bytes = latin(rss('\x8a\xbf\x8e\x9a', 'shift_jis'));
  expect(decodeText(bytes, 'text/xml; charset=utf-8').text).toBe(rss('漢字', 'shift_jis'));
});

test('what is valid has no fault', () => {
  expect(decodeText(utf8(rss('Привет')), undefined)).toEqual({ text: rss('Привет') });
});
