import { readFile } from 'node:fs/promises';
import { expect, test } from '@jest/globals';
import { Ajv } from 'ajv';
import { commandPages, installArguments, operatorCommands } from '../../tools/chart/operator-commands.ts';
import { defaultValues, readSchema } from '../../tools/chart/values-schema.ts';

type Values = Record<string, unknown>;

/** What Helm makes of the defaults and `--set a.b=value`. Throws for other options that set values. */
function valuesOf(options: readonly string[]): Values {
  const values = defaultValues();
  for (const [index, option] of options.entries()) {
    if (/^(?:-f|--values|--set-.*)$/.test(option)) throw new Error(`the test does not read ${option}`);
    if (option !== '--set') continue;
    const [, path = '', value = ''] = /^([^=]+)=(.*)$/.exec(options[index + 1] ?? '') ?? [];
    const names = path.split('.');
    const group = names.slice(0, -1).reduce((parent, name) => (parent[name] ??= {}) as Values, values);
    group[names.at(-1) ?? ''] = /^(?:true|false|\d+)$/.test(value) ? (JSON.parse(value) as unknown) : value;
  }
  return values;
}

/** The rules of the chart that consist of values, `and`, `or` and `not`: condition and message. */
async function rules(): Promise<(readonly [condition: string, message: string])[]> {
  const helpers = await readFile('deploy/chart/templates/_helpers.tpl', 'utf8');
  const found = helpers.matchAll(/\{\{- if ([^\n]+) -\}\}\n\{\{- fail "([^"]+)" -\}\}/g);
  return [...found]
    .map(([, condition = '', message = '']) => [condition, message] as const)
    .filter(([condition]) => /^(?:(?:and|or|not|\$d\.\w+|\.Values[.\w]+|\(|\)) ?)+$/.test(condition));
}

/** Whether a condition of a template holds: an operator and its operands, or the path of a value. */
function holds(condition: string, values: Values): boolean {
  const words = condition.match(/[()]|[^\s()]+/g) ?? [];
  const operand = (): boolean => {
    const word = words.shift() ?? '';
    if (word !== '(') return !isEmpty(valueAt(word, values));
    const result = expression();
    words.shift();
    return result;
  };
  const expression = (): boolean => {
    const operator = words.shift();
    const operands: boolean[] = [];
    while (words.length > 0 && words[0] !== ')') operands.push(operand());
    if (operator === 'not') return !operands[0];
    return operator === 'and' ? operands.every(Boolean) : operands.some(Boolean);
  };
  return expression();
}

/** As templates judge a value. */
function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null ? Object.keys(value).length === 0 : !value;
}

function valueAt(path: string, values: Values): unknown {
  const names = path.replace('$d.', '.Values.databases.').split('.').slice(2);
  return names.reduce<unknown>((group, name) => (group as Values)[name], values);
}

test('the rules that the default values break are read', async () => {
  const broken = (await rules()).filter(([condition]) => holds(condition, defaultValues()));
  expect(broken.map(([, message]) => message.split(' to ')[0])).toEqual([
    'Set auth.existingSecret',
    'Set databases.existingSecret',
  ]);
});

test.each(commandPages)('the chart accepts the values of the commands in %s', async (page) => {
  const values = valuesOf(installArguments(await operatorCommands(page)));
  const validate = new Ajv({ strict: false }).compile(readSchema());
  expect([validate(values), validate.errors]).toEqual([true, null]);
  const broken = (await rules()).filter(([condition]) => holds(condition, values));
  expect(broken.map(([, message]) => message)).toEqual([]);
});

test.each(commandPages)('the commands in %s create the secrets that the chart uses', async (page) => {
  const commands = await operatorCommands(page);
  const created = new Map<string, string[]>();
  for (const command of commands) {
    const name = /^kubectl -n feedmesh create secret generic (\S+) /.exec(command)?.[1];
    const keys = [...command.matchAll(/--from-literal=(\w+)=/g)].map(([, key]) => key ?? '');
    if (name !== undefined) created.set(name, keys);
  }
  const install = installArguments(commands);
  expect(install.slice(0, 4)).toEqual(['feedmesh', 'deploy/chart', '-n', 'feedmesh']);
  const { auth, databases } = valuesOf(install) as Record<string, { existingSecret: string }>;
  expect(created.get(databases?.existingSecret ?? '')).toEqual(['REDIS_URL', 'MONGODB_URI']);
  expect(created.get(auth?.existingSecret ?? '')).toEqual(['AUTH_SECRETS', 'AUTH_ADMIN_KEY']);
});
