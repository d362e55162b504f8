import { describe, expect, test } from '@jest/globals';
import { scan } from './__fixtures__/reading.ts';

const headOf = (sharing: string) =>
  scan(
    `<feed xmlns="http://www.w3.org/2005/Atom" xmlns:sx="http://feedsync.org/2007/feedsync">\n ${sharing}` +
      '</feed>',
  ).head;

test('expires is read', () => {
  expect(headOf('<sx:sharing since="1" until="2" expires="2005-05-23T18:30:02Z"/>')).toMatchObject({
    sharing: { since: '1', until: '2', expires: '2005-05-23T18:30:02Z', related: [] },
    violations: [],
  });
});

test('a feed without sx:sharing has none', () => {
  expect(headOf('').sharing).toBeUndefined();
});

test('an until that is too long to be kept is left out, a since is not, and both are named', () => {
  const long = '2'.repeat(4097);
  expect(headOf(`<sx:sharing since="1" until="${'2'.repeat(4096)}"/>`)).toMatchObject({
    sharing: { until: '2'.repeat(4096) },
    violations: [],
  });
  const { sharing, violations } = headOf(`<sx:sharing since="${long}" until="${long}"/>`);
  expect(sharing).toEqual({ since: long, related: [] });
  const violation = {
    rule: 'limit-window-length',
    section: 'limits',
    severity: 'warning',
    line: 2,
    column: 2,
  };
  expect(violations).toEqual(
    ['since', 'until'].map((name) => ({
      ...violation,
      message: `The value of ${name} has 4097 characters; at most 4096 are kept (limit "windowLength").`,
    })),
  );
});

describe('what breaks a rule is left out with a warning', () => {
  test.each([
    ['since alone', 'since="1"', '', 'sharing-since-until'],
    ['until alone', 'until="1"', '', 'sharing-since-until'],
    ['an empty expires', 'expires=""', '', 'sharing-attribute-empty'],
    ['expires that is no date-time', 'expires="tomorrow"', '', 'sharing-expires-format'],
    ['since after until', 'since="&#x1F600;" until="&#xFF5E;"', '', 'sharing-since-after-until'],
    ['a relative link', '', '<sx:related link="all.xml" type="complete"/>', 'related-link-absolute'],
    ['an empty link', '', '<sx:related link="" type="complete"/>', 'related-attribute-empty'],
    ['no link', '', '<sx:related type="complete"/>', 'related-link-required'],
    ['no type', '', '<sx:related link="http://example.com/"/>', 'related-type-required'],
    ['an unknown type', '', '<sx:related link="http://example.com/" type="partial"/>', 'related-type-value'],
  ])('%s', (_case, attributes, inside, rule) => {
    const head = headOf(`<sx:sharing ${attributes}>${inside}</sx:sharing>`);
    expect(head.sharing).toEqual({ related: [] });
    expect(head.violations).toMatchObject([{ rule, severity: 'warning', line: 2 }]);
  });

  test('a second sx:sharing', () => {
    const head = headOf('<sx:sharing since="1" until="2"/><sx:sharing since="3" until="4"/>');
    expect(head.sharing?.since).toBe('1');
    expect(head.violations).toMatchObject([{ rule: 'sharing-multiple', line: 2, column: 35 }]);
  });
});

describe('what violates a rule but is accepted gets a warning', () => {
  test.each([
    [
      'a link with a fragment',
      '<sx:related link="http://example.com/a#b" type="complete"/>',
      'related-link-syntax',
      'http://example.com/a#b',
    ],
    [
      'a link with letters that a URI does not allow',
      '<sx:related link="http://example.com/\u00e9" type="complete"/>',
      'related-link-syntax',
      'http://example.com/\u00e9',
    ],
    [
      'a title with markup',
      '<sx:related link="http://example.com/" type="complete" title="&lt;b>A&lt;/b>"/>',
      'related-title-markup',
      'http://example.com/',
    ],
  ])('%s', (_case, related, rule, link) => {
    const head = headOf(`<sx:sharing>${related}</sx:sharing>`);
    expect(head.sharing?.related).toMatchObject([{ link, type: 'complete' }]);
    expect(head.violations).toMatchObject([{ rule, severity: 'warning' }]);
  });
});

test.each([
  ['sync', 'sync-place'],
  ['related', 'related-place'],
  ['later', 'element-unknown'],
])('an sx:%s among the children of the feed is reported, and stays one of them', (name, rule) => {
  const head = headOf(`<sx:${name}/>`);
  expect(head.violations).toMatchObject([{ rule, severity: 'warning', line: 2, column: 2 }]);
  expect(head.children.map((child) => child.name)).toEqual([name]);
});
