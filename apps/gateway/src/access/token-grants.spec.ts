import { expect, test } from '@jest/globals';
import { grantsIn } from './token-grants.ts';

test.each([
  [['read:todo'], ['read:todo']],
  ['read:todo write,resolve:acme.*', ['read:todo', 'write,resolve:acme.*']],
  [['admin:*', 'own:todo', 'read:', ':todo', 'read:TODO', 7, null, 'read: todo'], ['admin:*']],
  ['', []],
  [undefined, []],
  [{ read: 'todo' }, []],
])('the claim %j permits %j', (claim, expected) => {
  const found = grantsIn(claim).map(
    ({ permissions, collections }) => `${permissions.join(',')}:${collections}`,
  );
  expect(found).toEqual(expected);
});
