import { expect, test } from '@jest/globals';
import { aclCommand, aclFileLine } from './redis-user.ts';
import type { RedisRole } from './redis-user.ts';

const passwordDigest = 'ab'.repeat(32);

/** The rules of a role outside of parentheses, and those in each pair. */
function rules(role: RedisRole, group?: string): string[][] {
  const line = aclFileLine({ name: 'one', passwordDigest, role, ...(group !== undefined && { group }) });
  const [, first = ''] = /^user one on #(?:ab){32} resetkeys resetchannels -@all (.*)$/.exec(line) ?? [];
  const selectors = Array.from(first.matchAll(/\(([^)]*)\)/g), ([, text = '']) => text.split(' '));
  return [first.replaceAll(/ \([^)]*\)/g, '').split(' '), ...selectors];
}

test('services have all keys of Feedmesh, and no dangerous command but INFO', () => {
  expect(rules('services')).toEqual([
    ['~{feedmesh}:*', '~{feedmesh:*}:*', '~feedmesh:changes:*', '+@all', '-@dangerous', '+info'],
  ]);
});

test('a producer has keys of the queue "commands" alone, and jobs only to write', () => {
  const [general = [], ...selectors] = rules('producer');
  const keys = (words: readonly string[]): string[] => words.filter((word) => word.includes('~'));
  expect(keys(general)).toContain('~{feedmesh}:commands:wait');
  expect(keys(general).join('')).not.toContain('*');
  expect(general).toContain('+evalsha');
  expect(keys([...general, ...selectors.flat()]).every((key) => key.includes('{feedmesh}:commands:'))).toBe(
    true,
  );
  expect(selectors).toContainEqual(['%W~{feedmesh}:commands:*', '+hmset', '+exists']);
});

test('a consumer writes to no stream of ours, and to the keys of its group alone', () => {
  const [general = [], ...selectors] = rules('consumer', 'search');
  expect(general).toEqual(expect.arrayContaining(['~feedmesh:changes:*', '+xreadgroup', '+xack']));
  for (const command of ['+xadd', '+xdel', '+xtrim', '+set', '+del', '+eval', '+xgroup', '+@all'])
    expect(general).not.toContain(command);
  const [own = [], ...others] = selectors;
  expect(others).toEqual([]);
  expect(own.filter((word) => !word.startsWith('+'))).toEqual(
    ['reader', 'places', 'dead', 'retry'].map((what) => `~{feedmesh:changes:*}:${what}:search`),
  );
  expect(own).toEqual(expect.arrayContaining(['+eval', '+evalsha', '+hset', '+xadd']));
  expect(rules('consumer')[1]?.[0]).toBe('~{feedmesh:changes:*}:reader:*');
});

test('a command replaces what the user was before', () => {
  const user = { name: 'one', passwordDigest, role: 'services' } as const;
  expect(aclCommand(user)).toBe(aclFileLine(user).replace('user one', 'ACL SETUSER one reset'));
});
