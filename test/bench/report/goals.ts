import type { Figure, Goal } from '../row.ts';
import type { ContenderResult, RowResult } from '../summary.ts';
import { figure } from './figure.ts';

/** A goal of a row with the figure that was measured. */
export interface GoalResult extends Goal {
  readonly row: string;
  readonly measured: number;
  readonly isMet: boolean;
}

/** Processes that are none of our services. */
const databases = new Set(['mongod', 'redis']);

/** The name of each figure in the table, and its unit. */
const names: Readonly<Record<Figure, readonly [name: string, unit: string]>> = {
  rate: ['operations a second', '/s'],
  processorTime: ['processor time', 'ms'],
  median: ['p50', 'ms'],
  most: ['p99', 'ms'],
  memory: ['largest service', 'MB'],
};

/** Returns the goals of a row whose figures were measured. Throws if a goal names no contender of the row. */
export function goalResults({ name: row, goals, ours, references }: RowResult): GoalResult[] {
  const contender = (name: string): ContenderResult => {
    const found = [ours, ...references].find((one) => one.name === name);
    if (found === undefined) throw new Error(`a goal of ${row} names ${name}, which is no contender of it`);
    return found;
  };
  return goals.flatMap((goal) => {
    const { of = ours.name, beside, atLeast = -Infinity, atMost = Infinity } = goal;
    const value = figureOf(contender(of), goal.figure);
    const unit = beside === undefined ? 1 : figureOf(contender(beside), goal.figure);
    if (value === undefined || unit === undefined) return [];
    const measured = value / unit;
    return [{ ...goal, row, measured, isMet: measured >= atLeast && measured <= atMost }];
  });
}

function figureOf(contender: ContenderResult, wanted: Figure): number | undefined {
  const { rate, processorTime, latency, memory } = contender;
  if (wanted === 'rate') return rate;
  if (wanted === 'processorTime') return processorTime?.all.median;
  if (wanted === 'memory') return memory && largestService(memory);
  return latency?.[wanted];
}

/** The memory of the service that has taken most of it, in MB. */
function largestService(memory: Readonly<Record<string, number>>): number {
  const services = Object.entries(memory).filter(([name]) => !databases.has(name));
  return Math.max(...services.map(([, megabytes]) => megabytes));
}

/** The table of all goals in Markdown, ratios first. */
export function goalTable(results: readonly GoalResult[]): string[] {
  const isRatio = ({ beside }: GoalResult): boolean => beside !== undefined;
  return [
    '| Row | Figure | Beside | Measured | Goal | |',
    '|---|---|---|---|---|---|',
    ...[...results.filter(isRatio), ...results.filter((result) => !isRatio(result))].map(goalRow),
  ];
}

function goalRow({
  row,
  figure: wanted,
  of,
  beside = '',
  atLeast,
  atMost,
  measured,
  isMet,
}: GoalResult): string {
  const [name, ownUnit] = names[wanted];
  const unit = beside === '' ? ownUnit : '×';
  const goal = atLeast === undefined ? `≤ ${atMost}` : `≥ ${atLeast}`;
  const cells = [
    `\`${row}\``,
    of === undefined ? name : `${name}, ${of}`,
    beside,
    `${figure(measured)} ${unit}`,
    `${goal} ${unit}`,
    isMet ? 'met' : '**missed**',
  ];
  return `| ${cells.join(' | ')} |`;
}
