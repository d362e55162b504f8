import type { Io } from '../io.ts';
import { paint, printable } from '../terminal/text.ts';
import type { ExaminedFinding, ExaminedSchema } from './examine-schema.ts';

/** What is wrong with indexes and shard keys for people: a line for each finding, none if there is none. */
export function* schemaLines(io: Io, { findings, unknown }: ExaminedSchema): Generator<string> {
  for (const finding of findings) {
    const line = `mongodb: ${finding.collection}: ${findingText(finding)}`;
    yield `${paint(io, 'stdout', finding.repaired ? 'yellow' : 'red', printable(line))}\n`;
  }
  for (const what of unknown) yield `mongodb: not examined: ${printable(what)}\n`;
}

function findingText(finding: ExaminedFinding): string {
  if (finding.problem === 'missing-index')
    return `the index ${written(finding.index)} is missing${remedy(finding)}`;
  const by = `sharded by ${written(finding.shardKey)}`;
  if (finding.problem === 'unique-across-shards')
    return `${by}, so its unique index ${written(finding.index.key)} holds within a shard alone`;
  return finding.expected === undefined
    ? `${by}, but must not be sharded`
    : `${by}, but must be by ${written(finding.expected)}`;
}

function remedy({ repaired, refused }: ExaminedFinding): string {
  if (repaired) return '; created';
  return refused === undefined ? '; feedmesh doctor --repair creates it' : `; not created: ${refused}`;
}

function written(value: object): string {
  return JSON.stringify(value);
}
