import { readFileSync } from 'node:fs';

/** The part of JSON Schema that the chart's values are described with. */
export interface ValueSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly string[];
  readonly description?: string;
  readonly default?: unknown;
  readonly properties?: Readonly<Record<string, ValueSchema>>;
  readonly definitions?: Readonly<Record<string, ValueSchema>>;
}

export const schemaFile = 'deploy/chart/values.schema.json';

export function readSchema(): ValueSchema {
  return JSON.parse(readFileSync(schemaFile, 'utf8')) as ValueSchema;
}

/** A value of the chart, or a group of them. */
export interface ChartValue {
  readonly name: string;
  readonly schema: ValueSchema;
  /** Absent in a group. */
  readonly default?: unknown;
  /** The values in a group. */
  readonly values?: readonly ChartValue[];
  /** Whether the group has the values that every service has. */
  readonly isService: boolean;
}

/**
 * The values in the order of the schema, with their defaults. A default of a group overrides those of its
 * values. Throws if a value has neither default nor values, or no description.
 */
export function chartValues(schema: ValueSchema = readSchema()): ChartValue[] {
  return valuesIn(schema, schema, {}, '');
}

function valuesIn(group: ValueSchema, root: ValueSchema, defaults: object, path: string): ChartValue[] {
  return Object.entries(group.properties ?? {})
    .filter(([name]) => name !== 'global')
    .map(([name, own]) => {
      const schema = resolve(own, root);
      const given = merged(own.default, (defaults as Record<string, unknown>)[name]);
      const isService = own.$ref !== undefined;
      if (schema.properties !== undefined) {
        const values = valuesIn(schema, root, (given as object | undefined) ?? {}, `${path}${name}.`);
        return { name, schema, values, isService };
      }
      if (given === undefined || schema.description === undefined)
        throw new Error(`${path}${name} in ${schemaFile} must have a default and a description`);
      return { name, schema, default: given, isService };
    });
}

function resolve(schema: ValueSchema, root: ValueSchema): ValueSchema {
  const name = schema.$ref?.replace('#/definitions/', '');
  return name === undefined ? schema : (root.definitions?.[name] ?? {});
}

/** `over` in place of `base`, of objects name by name. */
function merged(base: unknown, over: unknown): unknown {
  if (over === undefined) return base;
  if (!isObject(base) || !isObject(over)) return over;
  const names = [...new Set([...Object.keys(base), ...Object.keys(over)])];
  return Object.fromEntries(names.map((name) => [name, merged(base[name], over[name])]));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The defaults as one object, as Helm reads them from `values.yaml`. */
export function defaultValues(values: readonly ChartValue[] = chartValues()): Record<string, unknown> {
  return Object.fromEntries(
    values.map((value) => [
      value.name,
      value.values === undefined ? value.default : defaultValues(value.values),
    ]),
  );
}
