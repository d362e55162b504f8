import { parseArgs } from 'node:util';

/** What a run of `npm run cluster` does. */
export interface Task {
  /** Only hold the rendered chart against a real API server, without a node. */
  readonly dryRun: boolean;
  /** The names of the stories to run; all if empty. */
  readonly stories: readonly string[];
  /** How many items are merged in the story of scaling. */
  readonly items: number;
  /** Seconds in which all pods must be ready again after one was lost. */
  readonly recoverySeconds: number;
}

/**
 * Reads a command line: `--dry-run`, `--story NAME` (may be repeated), `--items NUMBER` and
 * `--recovery SECONDS`. Throws `TypeError` if it is another.
 */
export function readTask(args: readonly string[]): Task {
  const { values } = parseArgs({
    args: [...args],
    options: {
      'dry-run': { type: 'boolean', default: false },
      story: { type: 'string', multiple: true, default: [] },
      items: { type: 'string', default: '20000' },
      recovery: { type: 'string', default: '30' },
    },
  });
  return {
    dryRun: values['dry-run'],
    stories: values.story,
    items: wholeNumber('--items', values.items),
    recoverySeconds: wholeNumber('--recovery', values.recovery),
  };
}

function wholeNumber(name: string, text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1)
    throw new TypeError(`${name} must be a whole number from 1; got ${text}`);
  return value;
}
