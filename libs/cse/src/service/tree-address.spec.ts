import { expect, test } from '@jest/globals';
import { collectionKey } from '#core';
import { feedAddress, fileAddress, targetAt } from './tree-address.ts';

const photosKey = collectionKey('photos');

const here = 'http://here.example/base';
const digest = 'a'.repeat(64);
const at = (url: string) => targetAt(url, here, photosKey);

test('what is read at an address of ours is found by it', () => {
  expect(at(feedAddress(here, photosKey, 'root'))).toEqual({ feed: 'root' });
  expect(at(feedAddress(here, photosKey, 'summer'))).toEqual({ feed: 'summer' });
  expect(at(fileAddress(here, photosKey, digest, 'ä b.jpg'))).toEqual({ file: digest, name: 'ä b.jpg' });
  for (const name of ['..', '~a', 'a/b', '100%'])
    expect(at(new URL(fileAddress(here, photosKey, digest, name)).href)).toEqual({ file: digest, name });
  expect(at(`${here}/files/photos/${digest}/100%25`)).toEqual({ file: digest, name: '100%' });
  expect(at(`${here}/files/photos/${digest}`)).toEqual({ file: digest });
  expect(at(`${here}/files/photos/${digest}/`)).toEqual({ file: digest });
});

test.each([
  'http://other.example/feeds/photos.rss',
  `${here}/feeds/others.rss`,
  `${here}/feeds/others/summer.rss`,
  `${here}/feeds/photos.atom`,
  `${here}/feeds/photos/a/b.rss`,
  `${here}/files/photos/abc`,
  `${here}/files/others/${digest}/a`,
  `${here}/files/photos/${digest}/a/b`,
  `${here}/`,
  here,
])('%s is nothing of the tree', (url) => {
  expect(at(url)).toBeUndefined();
});
