import { describe, expect, test } from '@jest/globals';
import { namespace, scan } from './__fixtures__/reading.ts';

const headOf = (sharing: string) =>
  scan(`<rss version="2.0" xmlns:sx="${namespace}"><channel>\n ${sharing}</channel></rss>`).head;
const since = 'Mon, 01 Nov 2004 09:43:33 GMT';
const until = 'Tue, 01 Mar 2005 09:43:33 GMT';

test('the example of 2.2.2 is read; that its days of the week are wrong is said', () => {
  const head = headOf(`<sx:sharing
    since="Tue, 1 Nov 2004 09:43:33 GMT"
    until="Fri, 1 Mar 2005 09:43:33 GMT"
    version="0.91" >
    <sx:related link="http://x.com/all.xml" type="complete" />
    <sx:related link="http://y.net/B.xml" type="aggregated" title="Family Contacts (Dad's Copy)" />
    </sx:sharing>`);
  expect(head.sharing).toEqual({
    since: '2004-11-01T09:43:33Z',
    until: '2005-03-01T09:43:33Z',
    version: '0.91',
    related: [
      { link: 'http://x.com/all.xml', type: 'complete' },
      { link: 'http://y.net/B.xml', type: 'aggregated', title: "Family Contacts (Dad's Copy)" },
    ],
  });
  expect(head.violations.map(({ rule }) => rule)).toEqual([
    'sse-sharing-since-format',
    'sse-sharing-until-format',
  ]);
});

test('it is read from the head of an OPML document, in the other form of the namespace too', () => {
  const { head } = scan(
    '<opml version="1.0"><head><sx:sharing xmlns:sx="http://www.microsoft.com/schemas/rss/sse" ' +
      'version="0.91" window="30"/></head><body/></opml>',
  );
  expect(head).toMatchObject({ sharing: { version: '0.91', window: 30, related: [] }, violations: [] });
});

test('an empty date is none', () => {
  expect(headOf('<sx:sharing version="0.91" since="" until=" "/>')).toMatchObject({
    sharing: { version: '0.91', related: [] },
    violations: [],
  });
});

test('a related feed has dates of its own, and a link that may be relative to the base', () => {
  const head = headOf(
    '<sx:sharing version="0.91" xml:base="http://example.com/a/">' +
      `<sx:related link="../all.xml" type="complete" since="${since}" until="${until}"/></sx:sharing>`,
  );
  expect(head.sharing?.related).toEqual([
    {
      link: 'http://example.com/all.xml',
      type: 'complete',
      since: '2004-11-01T09:43:33Z',
      until: '2005-03-01T09:43:33Z',
    },
  ]);
  expect(head.violations).toEqual([]);
});

describe('what breaks a rule is left out with a warning', () => {
  const all = { version: '0.91', related: [] };
  test.each([
    ['no version', '', '', 'sse-sharing-version-required', { related: [] }],
    ['since that is no date', 'version="0.91" since="then"', '', 'sse-sharing-since-format', all],
    ['until that is no date', 'version="0.91" until="then"', '', 'sse-sharing-until-format', all],
    [
      'until before since',
      `version="0.91" since="${until}" until="${since}"`,
      '',
      'sse-sharing-since-after-until',
      { ...all, since: '2005-03-01T09:43:33Z' },
    ],
    ['a window that is no number', 'version="0.91" window="a month"', '', 'sse-sharing-window-format', all],
    [
      'a window that is less than nothing',
      'version="0.91" window="-1"',
      '',
      'sse-sharing-window-format',
      all,
    ],
    ['no link', 'version="0.91"', '<sx:related type="complete"/>', 'sse-related-link-required', all],
    [
      'a relative link without a base',
      'version="0.91"',
      '<sx:related link="all.xml" type="complete"/>',
      'sse-related-link-absolute',
      all,
    ],
    [
      'no type',
      'version="0.91"',
      '<sx:related link="http://example.com/"/>',
      'sse-related-type-required',
      all,
    ],
    [
      'an unknown type',
      'version="0.91"',
      '<sx:related link="http://example.com/" type="partial"/>',
      'sse-related-type-value',
      all,
    ],
    ['a conflict in it', 'version="0.91"', '<sx:conflict/>', 'sse-conflict-place', all],
    ['an element that is not defined', 'version="0.91"', '<sx:later/>', 'sse-element-unknown', all],
    ['an attribute with a prefix', 'version="0.91" sx:window="3"', '', 'sse-attribute-unknown', all],
  ])('%s', (_case, attributes, inside, rule, sharing) => {
    const head = headOf(`<sx:sharing ${attributes}>${inside}</sx:sharing>`);
    expect(head.sharing).toEqual(sharing);
    expect(head.violations).toMatchObject([{ rule, severity: 'warning', line: 2 }]);
  });

  test.each([
    ['since', 'sse-related-since-format'],
    ['until', 'sse-related-until-format'],
  ])('%s of a related feed that is no date', (name, rule) => {
    const head = headOf(
      `<sx:sharing version="0.91"><sx:related link="http://example.com/" type="complete" ${name}="then"/>` +
        '</sx:sharing>',
    );
    expect(head.sharing?.related).toEqual([{ link: 'http://example.com/', type: 'complete' }]);
    expect(head.violations).toMatchObject([{ rule }]);
  });

  test('a second sx:sharing', () => {
    const head = headOf('<sx:sharing version="0.91"/><sx:sharing version="0.92"/>');
    expect(head.sharing?.version).toBe('0.91');
    expect(head.violations).toMatchObject([{ rule: 'sse-sharing-multiple', line: 2, column: 30 }]);
  });

  test('an sx:sync among the children of the head', () => {
    expect(headOf('<sx:sync/>').violations).toMatchObject([{ rule: 'sse-sync-place' }]);
  });
});

test('an sx:sharing beside the channel is reported and not used', () => {
  const { head } = scan(
    `<rss version="2.0" xmlns:sx="${namespace}"><sx:sharing version="0.91"/><channel/></rss>`,
  );
  expect(head.sharing).toBeUndefined();
  expect(head.violations).toMatchObject([{ rule: 'sse-sharing-place', severity: 'warning', line: 1 }]);
});
