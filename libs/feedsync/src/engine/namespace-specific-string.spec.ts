import { expect, test } from '@jest/globals';
import { isNamespaceSpecificString } from './namespace-specific-string.ts';

test.each(['a', 'REO1750', 'item_1_myapp_2005-05-21T11:43:33Z', "()+,-.:=@;$_!*'", 'a%20b', '%aF'])(
  '%j is a Namespace Specific String (RFC 2141)',
  (text) => {
    expect(isNamespaceSpecificString(text)).toBe(true);
  },
);

test.each([
  '',
  ' ',
  'a b',
  'a/b',
  'a?b',
  'a#b',
  'a%',
  'a%2',
  'a%2g',
  '%%20',
  'é',
  'a\n',
  'a"b',
  'a<b',
  '\u0000',
])('%j is not a Namespace Specific String', (text) => {
  expect(isNamespaceSpecificString(text)).toBe(false);
});
