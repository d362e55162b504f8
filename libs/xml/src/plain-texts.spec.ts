import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { plainTexts } from './plain-texts.ts';

const titleOf = (text: string): string =>
  plainTexts({
    format: 'atom',
    scope: { namespaces: [] },
    children: [{ namespace: 'http://www.w3.org/2005/Atom', name: 'title', xml: `<title>${text}</title>` }],
  })[0];

test.each([
  ['Crème brûlée, 2 €', 'Crèmebrûlée2'.normalize('NFKD').replace(/\p{M}/gu, '')],
  ['\u{1d400} \u{1f600}\u{20000}', 'A\u{20000}'],
  ['a\u0301 \u4e00-\u0663', 'a\u4e00\u0663'],
])('the letters and digits of %j count', (text, letters) => {
  expect(titleOf(text)).toBe(letters);
});

test('all letters and digits of any script count, and nothing else', () => {
  const plain = fc.string({ unit: 'grapheme' }).filter((text) => !/[&<>]/.test(text));
  fc.assert(
    fc.property(plain, (text) => {
      expect(titleOf(text)).toBe(text.normalize('NFKD').replace(/[^\p{L}\p{N}]/gu, ''));
    }),
  );
});
