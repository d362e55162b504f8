import { expect, test } from '@jest/globals';
import type { Express, Request, Response } from 'express';
import { checkMethod } from './allowed-methods.ts';

/** A router with a route at each path, that notes the paths which a request is held against. */
function routerWith(routes: readonly (readonly [method: string, path: string])[]) {
  const compared: string[] = [];
  const stack = routes.map(([method, path]) => ({
    route: { methods: { [method]: true } },
    match: (requested: string) => compared.push(`${method} ${path}`) > 0 && requested === path,
  }));
  const check = checkMethod({ router: { stack } } as unknown as Express);
  const ask = (method: string, path: string): boolean => {
    let passed = false;
    void check({ method, path } as Request, {} as Response, () => (passed = true));
    return passed;
  };
  return { compared, ask };
}

test('a request is held against the routes of its own method alone, as far as the one that it has', () => {
  const { compared, ask } = routerWith([
    ['get', '/a'],
    ['put', '/a'],
    ['put', '/b'],
    ['get', '/b'],
    ['put', '/c'],
  ]);
  expect(ask('PUT', '/b')).toBe(true);
  expect(ask('HEAD', '/a')).toBe(true);
  expect(compared).toEqual(['put /a', 'put /b', 'get /a']);
  expect(ask('PUT', '/none')).toBe(true);
  expect(() => ask('DELETE', '/a')).toThrow('only GET, HEAD, OPTIONS, PUT');
});
