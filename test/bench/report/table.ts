import type { ContenderResult, ReferenceResult, RowResult } from '../summary.ts';
import { figure } from './figure.ts';

/** Formats a row as text: our figures, their parts by process, and each reference. */
export function rowLines(row: RowResult): string[] {
  const { ours, references } = row;
  return [
    `${row.name}: ${row.operation}`,
    contenderLine(ours),
    ...processLines(ours),
    ...references.flatMap((reference) => [referenceLine(reference), ...processLines(reference)]),
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
