import { accessKey, accessKeyBody, accessKeyPage, issuedKey, rotationBody } from '../access-key.ts';
import { me } from '../me.ts';
import type { Operation } from '../operation.ts';
import { pageQuery } from '../page.ts';

const list = '/v1/keys';
const path = `${list}/{key}` as const;
const json = ['application/json'] as const;

export const keyOperations = {
  readMe: {
    method: 'GET',
    path: '/v1/me',
    needs: 'key',
    tag: 'keys',
    summary: 'Who you are',
    description:
      'Says whose key, token or certificate the request has, what it permits and when it expires; `anyone` ' +
      'where no key is needed.',
    responses: { 200: { description: 'Who sends the request.', json: me } },
    problems: [],
  },
  listKeys: {
    method: 'GET',
    path: list,
    needs: 'admin',
    over: 'some',
    tag: 'keys',
    summary: 'Lists the keys',
    description:
      'Lists the keys by id: those whose grants are all for collections that the caller administers.',
    query: pageQuery,
    responses: { 200: { description: 'A page of keys.', json: accessKeyPage } },
    problems: [],
  },
  issueKey: {
    method: 'POST',
    path: list,
    needs: 'admin',
    over: 'some',
    tag: 'keys',
    summary: 'Issues a key',
    description:
      'Issues a key for collections that the caller administers, and returns it with its secret, which is ' +
      'kept nowhere: only a digest is.',
    body: { required: true, json: { schema: accessKeyBody, types: json } },
    responses: { 201: { description: 'The key, with its secret.', json: issuedKey } },
    problems: ['keys-unavailable', 'key-exists'],
  },
  readKey: {
    method: 'GET',
    path,
    needs: 'admin',
    over: 'some',
    tag: 'keys',
    summary: 'Reads a key',
    description: 'Reads what a key permits and when it was last used, without its secret.',
    responses: { 200: { description: 'The key.', json: accessKey } },
    problems: ['key-not-found'],
  },
  rotateKey: {
    method: 'POST',
    path: `${path}/rotate`,
    needs: 'admin',
    over: 'some',
    tag: 'keys',
    summary: 'Rotates a key',
    description:
      'Gives a key another secret, and accepts the former one for some time beside it. One that was former ' +
      'before is accepted no more.',
    body: { required: false, json: { schema: rotationBody, types: json } },
    responses: { 200: { description: 'The key, with its new secret.', json: issuedKey } },
    problems: ['key-not-found', 'keys-unavailable'],
  },
  revokeKey: {
    method: 'DELETE',
    path,
    needs: 'admin',
    over: 'some',
    tag: 'keys',
    summary: 'Revokes a key',
    description:
      'Revokes a key: within a second no gateway accepts it, and what it is still reading is cut off.',
    responses: { 204: { description: 'It is revoked.' } },
    problems: ['key-not-found'],
  },
} as const satisfies Readonly<Record<string, Operation>>;
