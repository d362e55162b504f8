import type { ChartValue } from './values-schema.ts';

export const valuesFile = 'deploy/chart/values.yaml';

const heading = `# The defaults of the chart, made from values.schema.json by \`npm run chart -- --write\`.
# docs/kubernetes-values.md lists them in a table.
`;

/** The text of `values.yaml`: every default below its description. Defaults are JSON, which is YAML. */
export function writeValues(values: readonly ChartValue[]): string {
  return `${heading}${values.map((value) => `\n${lines(value, '').join('\n')}\n`).join('')}`;
}

function lines(value: ChartValue, indent: string): string[] {
  if (value.values !== undefined)
    return [`${indent}${value.name}:`, ...value.values.flatMap((inner) => lines(inner, `${indent}  `))];
  return [
    ...wrap(value.schema.description ?? '', 106 - indent.length).map((line) => `${indent}# ${line}`),
    `${indent}${value.name}: ${JSON.stringify(value.default)}`,
  ];
}

function wrap(text: string, width: number): string[] {
  return text.split(' ').reduce<string[]>((written, word) => {
    const last = written.at(-1);
    if (last === undefined || last.length + 1 + word.length > width) return [...written, word];
    return [...written.slice(0, -1), `${last} ${word}`];
  }, []);
}
