import { expect, test } from '@jest/globals';
import { create } from 'xmlbuilder2';
import { FeedError, payloadFromFields } from '#xml';
import { writeItem } from '#feedsync';
import { itemId } from '#core';
import { meaningOf } from './meaning.ts';
import fc from 'fast-check';

const atom = 'http://www.w3.org/2005/Atom';
const sync = 'http://feedsync.org/2007/feedsync';
const weird = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '&',
        '<',
        '>',
        '"',
        "'",
        ']]>',
        '\t',
        '\n',
        '\r',
        ' ',
        '\u0085',
        '\u2028',
        '😀',
        '\uFFFD',
        '&amp;',
        '\0',
        '\u001F',
        '\uFFFE',
        '\uD800',
        '\uDC00',
      ),
      fc.string({ unit: 'binary', maxLength: 2 }),
    ),
  )
  .map((parts) => parts.join(''));

/**
 * What xmlbuilder2 writes; undefined if it refuses. It escapes no tab and no line break, and takes what
 * looks like a reference for one, but leaves references alone, so these characters come as references.
 */
function oracle(titleText: string, idText: string): string | undefined {
  const [title = '', id = ''] = [titleText, idText].map((text) =>
    text.replace(/[&\t\n\r]/g, (character) => `&#${character.charCodeAt(0)};`),
  );
  try {
    const document = create().ele(atom, 'entry').ele(atom, 'title').txt(title).up();
    document.ele(sync, 'sx:sync', { id, updates: '1' }).ele(sync, 'sx:history', { sequence: '1', by: id });
    return document.end({ headless: true, wellFormed: true });
  } catch {
    return undefined;
  }
}

function ours(title: string, id: string): string | undefined {
  try {
    const written = writeItem({
      sync: { id: itemId(id), updates: 1, deleted: false, history: [{ sequence: 1, by: id }] },
      data: payloadFromFields('atom', { title }),
      conflicts: [],
    });
    return written.replace('<entry', `<entry xmlns="${atom}" xmlns:sx="${sync}"`);
  } catch (error) {
    if (error instanceof FeedError && error.violation.rule === 'xml-character') return undefined;
    throw error;
  }
}

function namesAndValues(xml: string): unknown {
  return JSON.stringify(meaningOf(xml), (key, value: unknown) => (key === 'bindings' ? undefined : value));
}

test('the writer of items means what xmlbuilder2 would mean, and refuses what it refuses', () => {
  fc.assert(
    fc.property(weird, weird, (title, id) => {
      const expected = oracle(title, id);
      const written = ours(title, id);
      expect(written === undefined).toBe(expected === undefined);
      if (written !== undefined && expected !== undefined)
        expect(namesAndValues(written)).toEqual(namesAndValues(expected));
    }),
    { numRuns: 800 },
  );
});
