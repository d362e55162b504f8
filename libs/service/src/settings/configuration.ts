import { z } from 'zod';

/** The settings of a service: one zod field for each environment variable, under its name. */
type SettingsSchema = z.ZodObject;

/** What each setting says of itself. */
export interface Setting {
  readonly name: string;
  /**
   * As it would be written in the environment; absent if the setting must be given, or its description
   * says what holds.
   */
  readonly default?: string;
  readonly description: string;
}

/** Every setting that is missing or wrong, one a line. Values are not repeated: they may be secrets. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
}

/**
 * The typed configuration out of the environment; an empty variable counts as unset. Throws
 * `ConfigurationError` that names every fault at once.
 */
export function readConfiguration<Schema extends SettingsSchema>(
  schema: Schema,
  environment: Readonly<Record<string, string | undefined>>,
): z.output<Schema> {
  const given = Object.fromEntries(
    Object.keys(schema.shape).map((name) => [name, environment[name] === '' ? undefined : environment[name]]),
  );
  const result = schema.safeParse(given);
  if (result.success) return result.data;
  const faults = new Map<string, string>();
  for (const issue of result.error.issues) {
    const name = String(issue.path[0]);
    // What no type can say, such as that one setting needs another, has words of its own.
    const isMissing = given[name] === undefined && issue.code !== 'custom';
    if (!faults.has(name)) faults.set(name, isMissing ? 'must be set' : issue.message);
  }
  const settings = new Map(listSettings(schema).map((setting) => [setting.name, setting]));
  const lines = Array.from(faults, ([name, fault]) => {
    const standard = settings.get(name)?.default;
    return standard === undefined
      ? `  ${name} ${fault}`
      : `  ${name} ${fault} (default: ${standard === '' ? 'empty' : standard})`;
  });
  throw new ConfigurationError(
    `${lines.length} ${lines.length === 1 ? 'setting is' : 'settings are'} wrong:\n${lines.join('\n')}`,
  );
}

/** Name, default and description of each setting, in the order of the schema. */
export function listSettings(schema: SettingsSchema): Setting[] {
  return Object.entries(schema.shape).map(([name, field]) => ({
    name,
    ...(field instanceof z.ZodDefault ? { default: String(field.def.defaultValue) } : {}),
    description: (field as z.ZodType).description ?? '',
  }));
}
