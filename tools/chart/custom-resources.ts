import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { load } from 'js-yaml';

/** Where the definition of a custom resource is: a Go module and a file in it. */
export interface DefinitionSource {
  readonly module: string;
  readonly version: string;
  readonly file: string;
}

/** The custom resources that the chart can make. */
export const definitions: readonly DefinitionSource[] = [
  {
    module: 'github.com/kedacore/keda/v2',
    version: 'v2.21.0',
    file: 'config/crd/bases/keda.sh_scaledobjects.yaml',
  },
  {
    module: 'sigs.k8s.io/gateway-api',
    version: 'v1.4.0',
    file: 'config/crd/standard/gateway.networking.k8s.io_httproutes.yaml',
  },
  {
    module: 'github.com/prometheus-operator/prometheus-operator',
    version: 'v0.85.0',
    file: 'example/prometheus-operator-crd/monitoring.coreos.com_servicemonitors.yaml',
  },
  {
    module: 'github.com/prometheus-operator/prometheus-operator',
    version: 'v0.85.0',
    file: 'example/prometheus-operator-crd/monitoring.coreos.com_podmonitors.yaml',
  },
  {
    module: 'github.com/prometheus-operator/prometheus-operator',
    version: 'v0.85.0',
    file: 'example/prometheus-operator-crd/monitoring.coreos.com_prometheusrules.yaml',
  },
];

interface Definition {
  readonly spec: {
    readonly group: string;
    readonly names: { readonly kind: string };
    readonly versions: readonly {
      readonly name: string;
      readonly schema: { readonly openAPIV3Schema: Schema };
    }[];
  };
}

type Schema = Readonly<Record<string, unknown>>;

/** Writes the schema of each version of a definition (YAML) into a folder, named as kubeconform does. */
export async function writeSchemas(definition: string, folder: string): Promise<void> {
  const { spec } = load(await readFile(definition, 'utf8')) as Definition;
  await mkdir(folder, { recursive: true });
  for (const { name, schema } of spec.versions) {
    const file = `${spec.names.kind.toLowerCase()}-${spec.group.split('.')[0]}-${name}.json`;
    await writeFile(join(folder, file), JSON.stringify(strict(schema.openAPIV3Schema)));
  }
}

/**
 * The same schema without the properties that it does not name, which an API server refuses or removes.
 * `metadata`, of which it names none, stays open.
 */
export function strict(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(strict);
  if (typeof schema !== 'object' || schema === null) return schema;
  const { properties, ...rest } = schema as { readonly properties?: Readonly<Record<string, unknown>> };
  const others = Object.entries(rest).map(([name, value]) => [
    name,
    ['items', 'additionalProperties', 'allOf', 'anyOf', 'oneOf', 'not'].includes(name)
      ? strict(value)
      : value,
  ]);
  if (properties === undefined) return Object.fromEntries(others);
  const named = Object.entries(properties).map(([name, value]) => [name, strict(value)]);
  const isOpen = 'additionalProperties' in rest || 'x-kubernetes-preserve-unknown-fields' in rest;
  const isWhole = 'type' in rest && !isOpen;
  return {
    ...Object.fromEntries(others),
    properties: Object.fromEntries(named),
    ...(isWhole && { additionalProperties: false }),
  };
}
