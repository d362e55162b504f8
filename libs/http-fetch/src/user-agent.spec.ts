import { expect, test } from '@jest/globals';
import { productToken, userAgentOf } from './user-agent.ts';

test.each([
  [undefined, undefined, 'Tester/1'],
  [undefined, 1, 'Tester/1 (1 subscriber)'],
  ['https://mesh.example/bot', undefined, 'Tester/1 (+https://mesh.example/bot)'],
  ['https://mesh.example/bot', 12, 'Tester/1 (+https://mesh.example/bot; 12 subscribers)'],
])('with the contact %s and %s subscribers', (contactUrl, subscribers, expected) => {
  expect(userAgentOf({ userAgent: 'Tester/1', ...(contactUrl && { contactUrl }) }, subscribers)).toBe(
    expected,
  );
});

test('the product has the version of its package', () => {
  expect(productToken()).toMatch(/^Feedmesh\/\d+\.\d+\.\d+/);
});
