import type { ContenderResult, ReferenceResult, RowResult } from '../summary.ts';

/** Processes that are none of ours. */
const databases = new Set(['mongod', 'redis']);

/** The lines that a person reads of a row: ours, what it takes by process, each reference, each goal. */
export function rowLines(row: RowResult): string[] {
  const { ours, references } = row;
  return [
    `${row.name}: ${row.operation}`,
    contenderLine(ours),
    ...processLines(ours),
    ...references.flatMap((reference) => [referenceLine(reference), ...processLines(reference)]),
    ...goalLines(row).map((line) => `  ${line}`),
    '',
  ];
}

function contenderLine({ name, milliseconds, rate, latency }: ContenderResult): string {
  const { minimum, median, maximum } = milliseconds;
  const spread = `${figure(minimum)} to ${figure(maximum)}`;
  return (
    `  ${name.padEnd(40)} ${figure(median)} ms (${spread})  ${figure(rate)}/s` +
    (latency ? `  half in ${figure(latency.median)} ms, 99 % in ${figure(latency.most)} ms` : '')
  );
}

function referenceLine(reference: ReferenceResult): string {
  const { ratio, processorTimeRatio } = reference;
  const time =
    processorTimeRatio === undefined ? '' : `, in ${figure(processorTimeRatio)} × its processor time`;
  return `${contenderLine(reference)}   ours is ${figure(ratio)} × it${time}`;
}

/** What a contender took of processors and memory. */
function processLines({ processorTime, memory }: ContenderResult): string[] {
  return [
    ...(processorTime === undefined ? [] : [processorLine(processorTime)]),
    ...(memory === undefined ? [] : [`  ${'peak memory'.padEnd(40)} ${memoryText(memory)}`]),
  ];
}

/** The memory of each process: `merger 180 MB, fetcher 205 MB`. */
export function memoryText(memory: Readonly<Record<string, number>>): string {
  return Object.entries(memory)
    .map(([name, megabytes]) => `${name} ${Math.round(megabytes)} MB`)
    .join(', ');
}

function processorLine(processorTime: NonNullable<ContenderResult['processorTime']>): string {
  const { all, byProcess } = processorTime;
  const parts = Object.entries(byProcess)
    .filter(([, time]) => time > 0)
    .map(([name, time]) => `${name} ${figure(time)}`);
  const spread = `${figure(all.minimum)} to ${figure(all.maximum)}`;
  return `  ${'processor time'.padEnd(40)} ${figure(all.median)} ms (${spread}): ${parts.join(', ')}`;
}

/** What became of each goal: `goal: at most 0.7 ms of processor time: 0.6, met`. */
export function goalLines({ goals, ours, references }: RowResult): string[] {
  const { processorTime, rate, ratios = {}, latency, memory } = goals;
  const spent = ours.processorTime?.all.median;
  return [
    ...(processorTime !== undefined && spent !== undefined
      ? [atMost('processor time', spent, processorTime)]
      : []),
    ...(rate === undefined ? [] : [atLeast('operations a second', ours.rate, rate)]),
    ...references.flatMap(({ name, ratio }) => {
      const goal = ratios[name];
      return goal === undefined ? [] : [atLeast(`beside ${name}`, ratio, goal)];
    }),
    ...(latency?.median !== undefined && ours.latency
      ? [atMost('half of them in ms', ours.latency.median, latency.median)]
      : []),
    ...(latency && ours.latency ? [atMost('99 % of them in ms', ours.latency.most, latency.most)] : []),
    ...(memory === undefined ? [] : [atMost('MB of each service', largestService(ours), memory)]),
  ];
}

/** The memory of the service that has taken most of it, in MB. */
function largestService({ memory = {} }: ContenderResult): number {
  return Math.max(
    ...Object.entries(memory).flatMap(([name, megabytes]) => (databases.has(name) ? [] : [megabytes])),
  );
}

function atMost(what: string, value: number, goal: number): string {
  return `goal: ${what} at most ${goal}: ${figure(value)}, ${value <= goal ? 'met' : 'not met'}`;
}

function atLeast(what: string, value: number, goal: number): string {
  return `goal: ${what} at least ${goal}: ${figure(value)}, ${value >= goal ? 'met' : 'not met'}`;
}

/** Three digits that count. */
function figure(value: number): string {
  if (value >= 1000) return String(Math.round(value));
  return value >= 100 ? value.toFixed(0) : value.toPrecision(3);
}
