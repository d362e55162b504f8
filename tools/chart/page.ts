import type { ChartValue } from './values-schema.ts';

export const pageFile = 'docs/kubernetes-values.md';

const heading = `# Values of the Helm chart

Made from \`deploy/chart/values.schema.json\` by \`npm run chart -- --write\`. Helm refuses values that do not
fit that schema, unknown ones included. [Feedmesh on Kubernetes](kubernetes.md) explains how they are used.
`;

interface Row {
  readonly path: string;
  readonly value: ChartValue;
}

/** The page that lists every value. Those of each of the four services stand in a table of their own. */
export function writePage(values: readonly ChartValue[]): string {
  const services = values.filter(({ isService }) => isService);
  const own = values.filter(({ isService }) => !isService).flatMap((value) => rowsOf(value, ''));
  return [
    heading,
    '## Of the installation',
    table(own, ({ default: standard }) => written(standard)),
    '## Of each service',
    `\`SERVICE\` is ${services.map(({ name }) => `\`${name}\``).join(', ')}.\n`,
    table(rowsOf({ ...(services[0] as ChartValue), name: 'SERVICE' }, ''), (_value, path) =>
      defaultsOf(services, path.split('.').slice(1)),
    ),
  ].join('\n');
}

function rowsOf(value: ChartValue, before: string): Row[] {
  const path = `${before}${value.name}`;
  return value.values?.flatMap((inner) => rowsOf(inner, `${path}.`)) ?? [{ path, value }];
}

function table(rows: readonly Row[], standard: (value: ChartValue, path: string) => string): string {
  const lines = rows.map(({ path, value }) => {
    const choices = value.schema.enum?.map((choice) => `\`${choice}\``).join(', ');
    const description = `${value.schema.description}${choices === undefined ? '' : ` (${choices})`}`;
    return `| \`${path}\` | ${standard(value, path)} | ${description} |`;
  });
  return ['| Value | Default | What it does |', '|---|---|---|', ...lines, ''].join('\n');
}

/** The default that all services have, or that of each. */
function defaultsOf(services: readonly ChartValue[], path: readonly string[]): string {
  const found = services.map((service) => [service.name, written(at(service, path)?.default)] as const);
  const texts = new Set(found.map(([, text]) => text));
  if (texts.size === 1) return found[0]?.[1] ?? '';
  return found.map(([name, text]) => `${name} ${text}`).join('<br>');
}

function at(value: ChartValue, [name, ...rest]: readonly string[]): ChartValue | undefined {
  const inner = value.values?.find((one) => one.name === name);
  return inner === undefined || rest.length === 0 ? inner : at(inner, rest);
}

function written(standard: unknown): string {
  const isEmpty =
    standard === '' ||
    (typeof standard === 'object' && standard !== null && Object.keys(standard).length === 0);
  return isEmpty ? 'empty' : `\`${typeof standard === 'string' ? standard : JSON.stringify(standard)}\``;
}
