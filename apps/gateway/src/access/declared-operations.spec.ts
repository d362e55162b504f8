import { expect, test } from '@jest/globals';
import { isOpen, operationAt, requestedChange } from './declared-operations.ts';

test('what is open to anyone are the calls of hubs and what says nothing of the data', () => {
  for (const [method, path] of [
    ['POST', '/websub/token'],
    ['GET', '/websub/token'],
    ['GET', '/health/live'],
    ['GET', '/openapi.json'],
  ] as const)
    expect([method, path, isOpen(method, path)]).toEqual([method, path, true]);
  for (const [method, path] of [
    ['POST', '/v1/collections'],
    ['PUT', '/v1/collections/todo'],
    ['DELETE', '/websub/token'],
    ['POST', '/websub/token/more'],
    ['POST', '/v1/collections/websub/token'],
    ['GET', '/metrics'],
  ] as const)
    expect([method, path, isOpen(method, path)]).toEqual([method, path, false]);
});

test('HEAD is for the operation that GET is for', () => {
  const path = '/v1/collections/:collection';
  expect(operationAt('GET', path)).toMatchObject({ method: 'GET', path: '/v1/collections/{collection}' });
  expect(operationAt('HEAD', path)).toBe(operationAt('GET', path));
  expect(operationAt('TRACE', path)).toBeUndefined();
});

test('a change is found by its path, with what it names', () => {
  expect(requestedChange('DELETE', '/v1/collections/todo/items/a%2Fb')).toMatchObject({
    name: 'deleteItem',
    params: { collection: 'todo', id: 'a/b' },
  });
  expect(requestedChange('DELETE', '/V1/Collections/todo/items/%zz')?.params).toMatchObject({ id: '%zz' });
  for (const [method, path] of [
    ['GET', '/v1/collections/todo'],
    ['POST', '/websub/token'],
    ['DELETE', '/v1/collections/todo/items/a/b'],
  ] as const)
    expect(requestedChange(method, path)).toBeUndefined();
});
