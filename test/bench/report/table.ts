import type { ContenderResult, RowResult } from '../summary.ts';

/** The lines that a person reads of a row: ours, what it takes by process, each reference, each goal. */
export function rowLines(row: RowResult): string[] {
  const { ours, references } = row;
  return [
    `${row.name}: ${row.operation}`,
    contenderLine(ours),
    ...processLines(ours),
    ...references.map(referenceLine),
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

function referenceLine(reference: RowResult['references'][number]): string {
  return `${contenderLine(reference)}   ours is ${figure(reference.ratio)} × it`;
}

function processLines({ processorTime }: ContenderResult): string[] {
  if (processorTime === undefined) return [];
  const { all, byProcess } = processorTime;
  const parts = Object.entries(byProcess)
    .filter(([, time]) => time > 0)
    .map(([name, time]) => `${name} ${figure(time)}`);
  const spread = `${figure(all.minimum)} to ${figure(all.maximum)}`;
  return [`  ${'processor time'.padEnd(40)} ${figure(all.median)} ms (${spread}): ${parts.join(', ')}`];
}

/** What became of each goal: `goal: at most 0.7 ms of processor time: 0.6, met`. */
export function goalLines({ goals, ours, references }: RowResult): string[] {
  const { processorTime, rate, ratios = {}, latency } = goals;
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
    ...(latency && ours.latency
      ? [
          atMost('half of them in ms', ours.latency.median, latency.median),
          atMost('99 % of them in ms', ours.latency.most, latency.most),
        ]
      : []),
  ];
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
