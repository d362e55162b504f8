import { commandSchemas, jobSchemas } from '#contracts';
import type { CommandName, QueueName } from '#contracts';

/**
 * The queues that a server may work on: those between the services, and `commands`, which is open to anyone.
 */
export type WorkQueue = QueueName | 'commands';

/** What a job turned out to be: data to call the handler of `pattern` with, or the reasons why it is none. */
type JobCheck =
  | { readonly pattern: string; readonly data: unknown }
  | { readonly reasons: readonly string[] };

/** The patterns of a queue: its name, or one for each command. Each must have a handler. */
export function patternsOf(queue: WorkQueue): string[] {
  return queue === 'commands' ? Object.keys(commandSchemas).map((name) => `commands.${name}`) : [queue];
}

/**
 * Holds a job against the schema of its queue or command. Data comes back with nothing but what the schema
 * knows.
 */
export function checkJob(queue: WorkQueue, name: string, data: unknown): JobCheck {
  if (queue !== 'commands') {
    return Object.hasOwn(jobSchemas, queue)
      ? checkData(queue, jobSchemas[queue], data)
      : { reasons: [`unknown queue ${JSON.stringify(queue)}`] };
  }
  if (!isCommandName(name)) {
    return {
      reasons: [
        `unknown command ${JSON.stringify(name)}; there are ${Object.keys(commandSchemas).join(', ')}`,
      ],
    };
  }
  return checkData(`commands.${name}`, commandSchemas[name], data);
}

function isCommandName(name: string): name is CommandName {
  return Object.hasOwn(commandSchemas, name);
}

interface Issue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

interface Schema {
  safeParse(
    data: unknown,
  ): { success: true; data: unknown } | { success: false; error: { issues: readonly Issue[] } };
}

function checkData(pattern: string, schema: Schema, data: unknown): JobCheck {
  const result = schema.safeParse(data);
  if (result.success) return { pattern, data: result.data };
  return {
    reasons: result.error.issues.map(
      ({ path, message }) => `${path.map(String).join('.') || 'data'}: ${message}`,
    ),
  };
}
