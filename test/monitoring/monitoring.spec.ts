import { readFile } from 'node:fs/promises';
import { parser } from '@prometheus-io/lezer-promql';
import { load } from 'js-yaml';
import { describe, expect, test } from '@jest/globals';

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly annotations: { readonly summary: string; readonly runbook: string };
}

interface Panel {
  readonly title: string;
  readonly targets: readonly { readonly expr: string }[];
}

const alerts = load(await readFile('deploy/chart/files/alerts.yaml', 'utf8')) as {
  readonly groups: readonly { readonly rules: readonly Rule[] }[];
};
const rules = alerts.groups.flatMap((group) => group.rules);
const dashboard = JSON.parse(await readFile('deploy/grafana/feedmesh.json', 'utf8')) as {
  readonly panels: readonly Panel[];
};
const expressions = [
  ...rules.map(({ alert, expr }) => [alert, expr] as const),
  ...dashboard.panels.flatMap(({ title, targets }) => targets.map(({ expr }) => [title, expr] as const)),
];

/** What of an expression is no PromQL. */
function errorsIn(expression: string): string[] {
  const errors: string[] = [];
  parser.parse(expression).iterate({
    enter: ({ type, from, to }) => {
      if (type.isError) errors.push(`${from} to ${to}: ${expression.slice(from, to)}`);
    },
  });
  return errors;
}

/** The metrics that an expression names. */
function metricsIn(expression: string): string[] {
  return [...expression.matchAll(/\b(?:feedmesh|process|nodejs)_\w+/g)].map(([name]) => name);
}

describe('alerts and dashboard', () => {
  test('promtool learns of each alert when it comes', async () => {
    const cases = load(await readFile('test/monitoring/alerts.promtool.yaml', 'utf8')) as {
      readonly tests: readonly {
        readonly alert_rule_test: readonly { readonly alertname: string; readonly exp_alerts?: unknown }[];
      }[];
    };
    const raised = cases.tests
      .flatMap((one) => one.alert_rule_test)
      .filter((one) => one.exp_alerts !== undefined);
    expect(new Set(raised.map(({ alertname }) => alertname))).toEqual(
      new Set(rules.map(({ alert }) => alert)),
    );
  });

  test('no expression is malformed', () => {
    expect(errorsIn('sum(rate(x[5m])')).not.toEqual([]);
    expect(
      expressions.flatMap(([name, expression]) => errorsIn(expression).map((one) => [name, one])),
    ).toEqual([]);
  });

  test('every metric that they name is in the documentation', async () => {
    const documentation = await readFile('docs/operations.md', 'utf8');
    const unknown = expressions
      .flatMap(([, expression]) => metricsIn(expression))
      .filter((name) => name.startsWith('feedmesh_'))
      .filter((name) => !documentation.includes(`\`${name.replace(/_(bucket|count|sum)$/, '')}\``));
    expect(unknown).toEqual([]);
  });

  test('every alert has its section in the runbook, and there is none without one', async () => {
    const runbook = await readFile('docs/runbook.md', 'utf8');
    const sections = [...runbook.matchAll(/^## (.+)\n\*\*`(\w+)`\*\*/gm)].map(([, title = '', alert]) => [
      alert,
      `docs/runbook.md#${title.toLowerCase().replaceAll(' ', '-')}`,
    ]);
    expect(sections).toEqual(rules.map(({ alert, annotations }) => [alert, annotations.runbook]));
  });
});
