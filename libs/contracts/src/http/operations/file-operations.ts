import { filePage, storedFile } from '../file.ts';
import type { Operation } from '../operation.ts';
import { pageQuery } from '../page.ts';

const list = '/v1/collections/{collection}/files';
const headers = ['If-None-Match', 'Range'] as const;
const bytes = {
  200: { description: 'The bytes.', isFile: true },
  206: { description: 'A range of the bytes.', isFile: true },
  304: { description: 'It never changes.' },
  416: { description: 'It has no such range; `Content-Range` has its length.' },
} as const;

export const fileOperations = {
  listFiles: {
    method: 'GET',
    path: list,
    needs: 'read',
    tag: 'files',
    summary: 'Lists the files of a tree',
    description:
      'Lists the files of a tree, those of its feeds among them, by digest, and how much refers to each.',
    query: pageQuery,
    responses: { 200: { description: 'A page of files.', json: filePage } },
    problems: ['collection-not-found', 'not-a-tree'],
  },
  storeFile: {
    method: 'POST',
    path: list,
    needs: 'write',
    tag: 'files',
    summary: 'Stores a file',
    description:
      'Keeps a file for the items of a tree of our own to link to. What no item links to goes after a while.',
    body: { required: true, isFile: true },
    responses: { 201: { description: 'What the file is known by.', json: storedFile } },
    problems: [
      'collection-not-found',
      'not-a-tree',
      'mirror',
      'incomplete-body',
      'file-too-large',
      'tenant-limit',
      'unsupported-content-coding',
    ],
  },
  readFile: {
    method: 'GET',
    path: '/files/{collection}/{digest}',
    needs: 'feeds',
    tag: 'files',
    summary: 'Reads a file',
    description: 'A file of a tree by its SHA-256, whole or a range of it. It never changes.',
    headers,
    responses: bytes,
    problems: ['file-not-found', 'too-many-readers'],
  },
  readNamedFile: {
    method: 'GET',
    path: '/files/{collection}/{digest}/{name}',
    needs: 'feeds',
    tag: 'files',
    summary: 'Reads a file under its name',
    description: 'The same file under the name that it has in a link.',
    headers,
    responses: bytes,
    problems: ['file-not-found', 'too-many-readers'],
  },
} as const satisfies Readonly<Record<string, Operation>>;
