import { contracts, operations, problemRules } from '#contracts';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { asyncApiDocument } from '../../apps/gateway/src/documentation/asyncapi.ts';
import { openApiDocument } from '../../apps/gateway/src/documentation/openapi.ts';
import { misfit } from '../support/misfit.ts';
import { documents, readJson, recordFile, writeJson } from './documents.ts';
import { changesSince, currentRecord, hashOf } from './schema-record.ts';
import type { SchemaRecord } from './schema-record.ts';

const run = promisify(execFile);

describe('the contracts', () => {
  const current = currentRecord();

  test('are as they are recorded', () => {
    expect(changesSince(readJson(recordFile) as SchemaRecord, current)).toEqual([]);
  });

  test.each([...contracts._idmap])('%s has an example that fits', (_name, schema) => {
    expect(misfit(schema, contracts.get(schema)?.example)).toBeUndefined();
  });

  test('have a body for every job, command, event and message of HTTP', () => {
    const names = Object.keys(current);
    expect(names).toEqual(expect.arrayContaining(['FetchJob', 'EditCommand', 'ChangeEvent', 'Collection']));
    const bodies = Object.values(operations).flatMap((operation) => [
      ...('body' in operation && 'json' in operation.body ? [operation.body.json.schema] : []),
      ...Object.values<object>(operation.responses).flatMap((response) =>
        'json' in response ? [response.json] : [],
      ),
    ]);
    expect(bodies.filter((schema) => contracts.get(schema as never) === undefined)).toEqual([]);
  });
});

describe('a contract that changes', () => {
  const recorded: SchemaRecord = { Item: { version: 1, hash: hashOf({ type: 'string' }) } };

  test('without a new version is refused, with what to do', () => {
    const [change] = changesSince(recorded, { Item: { version: 1, hash: hashOf({ type: 'number' }) } });
    expect(change).toEqual({
      isSilent: true,
      message: expect.stringMatching(/Item was changed and still has version 1\. Give it version 2/),
    });
  });

  test('with a new version is only to be recorded', () => {
    const [change] = changesSince(recorded, { Item: { version: 2, hash: hashOf({ type: 'number' }) } });
    expect(change).toEqual({ isSilent: false, message: expect.stringContaining('npm run contracts') });
  });

  test('in words or in the order of its members is the same', () => {
    const [one, other] = [
      { type: 'object', properties: { description: { type: 'string', description: 'Text.' } } },
      { properties: { description: { description: 'A text.', type: 'string' } }, type: 'object' },
    ];
    expect(hashOf(one)).toBe(hashOf(other));
    expect(hashOf(one)).not.toBe(hashOf({ type: 'object', properties: {} }));
  });

  test('may not go or get an earlier version', () => {
    expect(changesSince(recorded, {})).toEqual([expect.objectContaining({ isSilent: true })]);
    const later = { Item: { version: 2, hash: 'x' } };
    expect(changesSince(later, recorded)).toEqual([expect.objectContaining({ isSilent: true })]);
  });
});

const checked: readonly (readonly [string, object])[] = [
  ['openapi', openApiDocument()],
  ['asyncapi', asyncApiDocument()],
  ['openapi', { ...openApiDocument(), openapi: 3 }],
  ['asyncapi', { ...asyncApiDocument(), channels: { commands: { address: 7 } } }],
];

describe('the documents', () => {
  /** What the public checkers find in each of `checked`. */
  let findings: readonly (readonly string[])[];

  beforeAll(async () => {
    const folder = await mkdtemp(join(tmpdir(), 'feedmesh-contracts-'));
    const files = checked.flatMap(([kind, document], index) => {
      const file = join(folder, `${index}.json`);
      writeJson(file, document);
      return [kind, file];
    });
    const { stdout } = await run(process.execPath, ['test/contracts/check-document.mjs', ...files]);
    findings = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as string[]);
    await rm(folder, { recursive: true });
  });

  test.each(Object.entries(documents))('%s is what the contracts make', (file, document) => {
    expect(readJson(file)).toEqual(document());
  });

  test.each([
    ['openapi', 0],
    ['asyncapi', 1],
  ])('%s has nothing that a public checker finds fault with', (_kind, index) => {
    expect(findings[index]).toEqual([]);
  });

  test.each([
    ['openapi', 2],
    ['asyncapi', 3],
  ])('a fault of %s is found', (_kind, index) => {
    expect(findings[index]).not.toEqual([]);
  });

  test('say of every operation what it returns, and what of each status, with an example', () => {
    const { paths } = openApiDocument() as unknown as OpenApi;
    const described = Object.values(paths).flatMap((methods) => Object.values(methods));
    expect(described).toHaveLength(Object.keys(operations).length);
    for (const { operationId, responses } of described) {
      for (const [status, { content = {} }] of Object.entries(responses))
        for (const [type, { schema, example, examples }] of Object.entries(content)) {
          const has = schema !== undefined && (example ?? examples ?? type === '*/*') !== false;
          expect([operationId, status, type, has]).toEqual([operationId, status, type, true]);
        }
      expect(Object.keys(responses).some((status) => Number(status) < 400)).toBe(true);
      expect(Object.keys(responses).some((status) => Number(status) >= 400)).toBe(true);
    }
  });

  test('describe the integers of queries and paths as integers', () => {
    const { paths } = openApiDocument() as unknown as OpenApi;
    const described = Object.values(paths)
      .flatMap((methods) => Object.values(methods))
      .flatMap(({ parameters = [] }) => parameters)
      .filter(({ name }) => ['limit', 'depth', 'timeout', 'link', 'hub.lease_seconds'].includes(name));
    expect(described.length).toBeGreaterThan(19);
    for (const { name, schema } of described)
      expect([name, schema]).toMatchObject([name, { type: 'integer' }]);
    expect(described.every(({ schema }) => !('pattern' in schema) && !('integer' in schema))).toBe(true);
  });

  test('name every rule of a problem that an operation can return', () => {
    const { components } = openApiDocument() as unknown as OpenApi;
    const named = Object.keys(components.examples);
    // Of requests that reach no operation.
    const unnamed = [
      'malformed-request',
      'not-found',
      'method-not-allowed',
      'request-timeout',
      'expectation-failed',
      'header-too-large',
    ];
    expect(new Set([...named, ...unnamed])).toEqual(new Set(Object.keys(problemRules)));
  });
});

interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>;
  readonly components: { readonly examples: Readonly<Record<string, unknown>> };
}

interface OperationObject {
  readonly operationId: string;
  readonly parameters?: readonly { readonly name: string; readonly schema: object }[];
  readonly responses: Readonly<
    Record<
      string,
      {
        readonly content?: Readonly<
          Record<
            string,
            { readonly schema?: unknown; readonly example?: unknown; readonly examples?: unknown }
          >
        >;
      }
    >
  >;
}
