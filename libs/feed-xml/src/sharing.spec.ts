import { describe, expect, test } from '@jest/globals';
import { scan } from './__fixtures__/reading.ts';

const headOf = (sharing: string) => scan(`<feed xmlns="http://www.w3.org/2005/Atom" xmlns:sx="http://feedsync.org/2007/feedsync">\n ${sharing}</feed>`).head;

test('expires is read', () => {
  expect(headOf('<sx:sharing since="1" until="2" expires="2005-05-23T18:30:02Z"/>')).toMatchObject({ sharing: { since: '1', until: '2', expires: '2005-05-23T18:30:02Z', related: [] }, breaches: [] });
});

test('a feed without sx:sharing has none', () => {
  expect(headOf('').sharing).toBeUndefined();
});

describe('what breaks a rule is left out with a warning', () => {
  test.each([
    ['since alone', 'since="1"', '', 'sharing-since-until'],
    ['until alone', 'until="1"', '', 'sharing-since-until'],
    ['an empty expires', 'expires=""', '', 'sharing-attribute-empty'],
    ['expires that is no date-time', 'expires="tomorrow"', '', 'sharing-expires-format'],
    ['a relative link', '', '<sx:related link="all.xml" type="complete"/>', 'related-link'],
    ['no link', '', '<sx:related type="complete"/>', 'related-link'],
    ['an unknown type', '', '<sx:related link="http://example.com/" type="partial"/>', 'related-type'],
  ])('%s', (_case, attributes, inside, rule) => {
    const head = headOf(`<sx:sharing ${attributes}>${inside}</sx:sharing>`);
    expect(head.sharing).toEqual({ related: [] });
    expect(head.breaches).toMatchObject([{ rule, severity: 'warning', line: 2 }]);
  });

  test('a second sx:sharing', () => {
    const head = headOf('<sx:sharing since="1" until="2"/><sx:sharing since="3" until="4"/>');
    expect(head.sharing?.since).toBe('1');
    expect(head.breaches).toMatchObject([{ rule: 'sharing-multiple' }]);
  });
});
