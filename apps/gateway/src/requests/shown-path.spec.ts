import { expect, test } from '@jest/globals';
import { shownPath } from './shown-path.ts';

const token = 'ab'.repeat(32);

test.each([
  `/websub/${token}`,
  `/WebSub/${token}/x?y`,
  `//websub//${token}`,
  `/%77ebsub/${token}`,
  `/websub/%${token}`,
])('the path %s is shown without its token', (path) => {
  expect(shownPath(path)).toBe('/websub/…');
});

test.each(['/', '/websub', '/v1/collections/websub', `/files/todo/${token}`, '/%'])(
  'the path %s is shown as it is',
  (path) => {
    expect(shownPath(path)).toBe(path);
  },
);
