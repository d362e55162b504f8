import { z } from 'zod';
import { changeEvent, commandSchemas, jobSchemas, operations } from '#contracts';
import { checkInput } from '../../../apps/gateway/src/requests/check-input.ts';
import { applyPatch } from '../../../apps/gateway/src/requests/merge-patch.ts';
import type { GrowthCase } from '../growth-case.ts';

/** Values of JSON by what is large in them; for an object with these members. */
const values: Readonly<Record<string, (size: number, members: readonly string[]) => unknown>> = {
  'unknown members': (size) => Object.fromEntries(Array.from({ length: size }, (_, n) => [`k${n}`, n])),
  'long texts': (size, members) => ofAll(members, 'a'.repeat(size)),
  'texts of dots': (size, members) => ofAll(members, '.-'.repeat(size / 2)),
  addresses: (size, members) => ofAll(members, `http://a.example/${'%'.repeat(size)}`),
  'lists of texts': (size, members) =>
    ofAll(
      members,
      Array.from({ length: size }, (_, n) => `t${n}`),
    ),
  'lists of objects': (size, members) =>
    ofAll(
      members,
      Array.from({ length: size }, (_, n) => ({ url: `http://a/${n}`, id: `i${n}`, n })),
    ),
  'wrong lists': (size, members) =>
    ofAll(
      members,
      Array.from({ length: size }, () => [[]]),
    ),
  objects: (size, members) =>
    ofAll(members, Object.fromEntries(Array.from({ length: size }, (_, n) => [`k${n}`, `v${n}`]))),
};

function ofAll(members: readonly string[], value: unknown): Record<string, unknown> {
  return Object.fromEntries(members.map((name) => [name, value]));
}

function membersOf(schema: z.ZodType): readonly string[] {
  return schema instanceof z.ZodObject ? Object.keys(schema.shape) : ['id', 'title', 'url'];
}

/** Everything that a schema checks which comes from outside. */
const schemas: readonly (readonly [name: string, schema: z.ZodType])[] = [
  ...Object.entries(operations).flatMap(([name, operation]) => {
    const { query, body } = operation as { query?: z.ZodType; body?: { json?: { schema: z.ZodType } } };
    return [
      ...(query === undefined ? [] : [[`query of ${name}`, query] as const]),
      ...(body?.json === undefined ? [] : [[`body of ${name}`, body.json.schema] as const]),
    ];
  }),
  ...Object.entries(commandSchemas).map(([name, schema]) => [`command ${name}`, schema] as const),
  ...Object.entries(jobSchemas).map(([name, schema]) => [`job ${name}`, schema] as const),
  ['event', changeEvent],
];

const schemaCases: readonly GrowthCase[] = schemas.flatMap(([name, schema]) =>
  Object.entries(values).map(([shape, make]) => ({
    name: `${name}: ${shape}`,
    covers: [],
    limit: 49_000,
    shortLimit: 4096,
    from: 1024,
    prepare: (size: number) => {
      const value = make(size, membersOf(schema));
      return [['checkInput', () => checkInput(schema, 'body', value)]] as const;
    },
  })),
);

const patchCases: readonly GrowthCase[] = [
  {
    name: 'applyPatch: members',
    covers: ['applyPatch'],
    limit: 49_000,
    prepare: (size) => {
      const [object, patch] = [0, 1].map((which) =>
        Object.fromEntries(
          Array.from({ length: size }, (_, n) => [`k${n + (which * size) / 2}`, which === 0 ? n : null]),
        ),
      );
      return [['applyPatch', () => applyPatch(object ?? {}, patch ?? {})]];
    },
  },
  {
    name: 'applyPatch: objects in objects',
    covers: ['applyPatch'],
    limit: 60,
    prepare: (size) => {
      let patch: Record<string, unknown> = {};
      for (let depth = 0; depth < size; depth += 1) patch = { a: patch };
      return [['applyPatch', () => applyPatch(patch, patch)]];
    },
  },
];

export const requestCases: readonly GrowthCase[] = [...schemaCases, ...patchCases];
