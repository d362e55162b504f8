import { rootFeed } from '#core';

/** A tree of feeds that changes, in the words of `change` in the spec that uses it. */
interface TreeCase {
  readonly feeds: readonly string[];
  readonly first: readonly string[];
  readonly changes: readonly string[];
}

/** Trees, each with what is in it at first and what is changed then, all at once. */
export const trees: Record<string, TreeCase> = {
  'of three levels': {
    feeds: [rootFeed, 'a', 'b'],
    first: ['root:a > a', 'a:b > b', 'b:1'],
    changes: ['b:1', 'b:2'],
  },
  'in which two children change': {
    feeds: [rootFeed, 'a', 'b'],
    first: ['root:a > a', 'root:b > b', 'a:1', 'b:1'],
    changes: ['a:1', 'b:1'],
  },
  'in which a feed and one above it change': {
    feeds: [rootFeed, 'a', 'b'],
    first: ['root:a > a', 'a:b > b', 'b:1'],
    changes: ['a:2', 'b:1', 'root:3'],
  },
  'in which feeds of two depths change': {
    feeds: [rootFeed, 'a', 'b', 'c', 'd'],
    first: ['root:a > a', 'a:c > c', 'a:b > b', 'b:d > d'],
    changes: ['c:1', 'd:1'],
  },
  'with a feed that two others nest, one of them in the other': {
    feeds: [rootFeed, 'a', 'b', 'c'],
    first: ['root:a > a', 'a:b > b', 'a:c > c', 'b:c > c', 'c:1'],
    changes: ['c:1', 'b:2'],
  },
  'with a new feed of two levels': {
    feeds: [rootFeed, 'a', 'b'],
    first: ['root:1'],
    changes: ['root:a > a', 'a:b > b', 'b:1'],
  },
  'in which an item and one that links to a feed are deleted': {
    feeds: [rootFeed, 'a', 'b'],
    first: ['root:a > a', 'a:b > b', 'a:1', 'b:1'],
    changes: ['a:b deleted', 'a:1 deleted', 'b:1 deleted'],
  },
  'with a circle below its root': {
    feeds: [rootFeed, 'a', 'b'],
    first: ['root:a > a', 'a:b > b', 'b:a > a', 'b:1'],
    changes: ['b:1'],
  },
};

/** Such in which the titles of feeds change, too. */
export const titledTrees: Record<string, TreeCase> = {
  'in which the title of a feed changes': {
    feeds: [rootFeed, 'a', 'b', 'c'],
    first: ['root:a > a', 'a:b > b', 'root:c > c', 'b:1'],
    changes: ['b titled'],
  },
  'in which the titles of a feed and of two above it change': {
    feeds: [rootFeed, 'a', 'b'],
    first: ['root:a > a', 'a:b > b', 'a:1', 'b:1'],
    changes: ['root titled', 'a titled', 'b titled'],
  },
  'in which the title of a feed without items changes': {
    feeds: [rootFeed, 'a'],
    first: ['root:a > a'],
    changes: ['a titled'],
  },
  'in which an item and titles beside and above it change': {
    feeds: [rootFeed, 'a', 'b', 'c'],
    first: ['root:a > a', 'a:b > b', 'root:c > c', 'b:1', 'c:1'],
    changes: ['b:1', 'c titled', 'a titled'],
  },
  'with a circle in which a title changes': {
    feeds: [rootFeed, 'a', 'b'],
    first: ['root:a > a', 'a:b > b', 'b:a > a', 'b:1'],
    changes: ['b titled'],
  },
};

export const allTrees: Record<string, TreeCase> = { ...trees, ...titledTrees };
