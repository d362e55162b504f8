import { expect, test } from '@jest/globals';
import { refusal } from '../../feedsync/src/xml/__fixtures__/reading.ts';
import { StrictParser } from './strict-parser.ts';

/** The namespaces of the elements of a document, in order. */
function namespacesIn(document: string): string[] {
  const found: string[] = [];
  const parser = new StrictParser({ open: ({ uri }) => void found.push(uri) });
  parser.write(document);
  parser.close();
  return found;
}

test(
  'a prefix has the binding of the nearest enclosing element, and has it again after an element ' +
    'that declares another',
  () => {
    expect(
      namespacesIn(
        '<x:a xmlns:x="1"><x:b><x:c xmlns:x="2"><x:d/></x:c><x:e/><x:f xmlns:y="3"><x:g/><y:h/></x:f></x:b>' +
          '</x:a>',
      ),
    ).toEqual(['1', '1', '2', '2', '1', '1', '1', '3']);
  },
);

test('a default namespace can be undeclared', () => {
  expect(namespacesIn('<a><b xmlns="1"><c xmlns=""><d/></c><e/></b><f/></a>')).toEqual([
    '',
    '1',
    '',
    '',
    '1',
    '',
  ]);
});

test('the prefix xml is declared everywhere, any other only within the element that declares it', () => {
  expect(namespacesIn('<xml:a/>')).toEqual(['http://www.w3.org/XML/1998/namespace']);
  expect(refusal(() => namespacesIn('<a><b xmlns:x="1"><x:c/></b><x:d/></a>'))).toMatchObject({
    rule: 'xml-well-formed',
  });
});
