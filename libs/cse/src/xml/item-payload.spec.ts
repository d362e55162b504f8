import { describe, expect, test } from '@jest/globals';
import { feedOfItem, readingOf, readItemOf } from './__fixtures__/reading.ts';

const guid = '<guid>g</guid>';

/** What stands at the places of the links of an item. */
function contentsOf(document: string): (string | undefined)[] {
  const { data, links } = readingOf(document);
  return links.map(({ place: { child, start, end } }) => data.children[child]?.xml.slice(start, end));
}

describe('the payload of an item', () => {
  test('has every child but csx:lastBuildDate, and every attribute but csx:hiddenItem', () => {
    const { item, data, line } = readingOf(
      feedOfItem(
        `${guid}<csx:lastBuildDate>Tue, 02 Jan 2007 00:00:00 GMT</csx:lastBuildDate><x>` +
          '<csx:lastBuildDate/></x><csx:lastBuildDate/><csx:link>a</csx:link>',
        ' csx:hiddenItem="true" csx:other="1" a="2"',
      ),
    );
    expect(item.hidden).toBe(true);
    expect(line).toBe(2);
    expect(data).toEqual({
      format: 'rss',
      children: [
        { namespace: '', name: 'guid', xml: guid },
        { namespace: '', name: 'x', xml: '<x><csx:lastBuildDate/></x>' },
        {
          namespace: expect.stringContaining('contentsyncextensions'),
          name: 'link',
          xml: '<csx:link>a</csx:link>',
        },
      ],
      scope: { namespaces: [['csx', expect.stringContaining('contentsyncextensions')]] },
      attributes: [
        { namespace: expect.stringContaining('contentsyncextensions'), name: 'other', value: '1' },
        { namespace: '', name: 'a', value: '2' },
      ],
    });
    expect(readingOf(feedOfItem(guid, ' csx:hiddenItem="true"')).data).not.toHaveProperty('attributes');
  });

  test('has the base of its feed if something other than a csx:link is relative', () => {
    expect(readingOf(feedOfItem(`${guid}<csx:link>a</csx:link>`)).data.scope.base).toBeUndefined();
    expect(readingOf(feedOfItem(`${guid}<link>page.html</link>`)).data.scope.base).toBe(
      'http://site.example/feeds/root.xml',
    );
    expect(readingOf(feedOfItem(guid, ' xml:base="photos/"')).data.scope.base).toBe(
      'http://site.example/feeds/photos/',
    );
  });
});

describe('the links of an item', () => {
  test('are reported with their positions: everything between the tags', () => {
    const inside =
      `<csx:link a=">">b.jpg</csx:link>${guid}<csx:lastBuildDate/>` +
      '<x:P xmlns:x="urn:x">😀<csx:link\n >' +
      '<![CDATA[a?<&]]><!-- c --></csx:link ><x:Q><csx:link> c&amp;d </csx:link></x:Q></x:P>';
    expect(contentsOf(feedOfItem(inside))).toEqual(['b.jpg', '<![CDATA[a?<&]]><!-- c -->', ' c&amp;d ']);
    expect(readingOf(feedOfItem(inside)).links.map(({ place }) => place.child)).toEqual([0, 2, 2]);
  });

  test('are reported even if they are ignored, each with its attributes, but not without a URL', () => {
    const { item, links } = readingOf(
      feedOfItem(
        `${guid}<csx:link onDemand="true">a</csx:link><csx:link/><csx:link>a</csx:link>` +
          '<csx:link nestedFeed="true">n.xml</csx:link><csx:link>http://[</csx:link>',
      ),
    );
    const at = (name: string): string => `http://site.example/feeds/${name}`;
    expect(links.map(({ url, nestedFeed, onDemand }) => [url, nestedFeed, onDemand])).toEqual([
      [at('a'), false, true],
      [at('a'), false, false],
      [at('n.xml'), true, false],
    ]);
    expect(item.links.map(({ url }) => url)).toEqual([at('n.xml')]);
  });

  test('hold no elements: of those in one the text alone is read, with a warning', () => {
    expect(
      readItemOf(feedOfItem(`${guid}<csx:link>a<x>b</x><csx:link>c</csx:link></csx:link>`)),
    ).toMatchObject({
      urls: ['http://site.example/feeds/abc'],
      violations: ['warning cse-link-elements@2:21'],
    });
    expect(contentsOf(feedOfItem('<csx:link>a<csx:link>c</csx:link></csx:link>'))).toEqual([
      'a<csx:link>c</csx:link>',
    ]);
  });
});
