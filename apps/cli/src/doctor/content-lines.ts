import { nameOf } from '#core';
import type { CollectionKey } from '#core';
import type { Io } from '../io.ts';
import { count, paint, printable } from '../terminal/text.ts';
import type { ContentFinding, ContentReport, RepairOutcome } from './content-finding.ts';

const outcomes: Readonly<Record<RepairOutcome, string>> = {
  requested: 'the next fetch, which is due now, downloads it again',
  paused: 'downloaded again once the subscription is resumed',
  removed: 'removed',
  lost: 'lost: it has to be uploaded again, or what links to it deleted',
};

/** What was found in a collection for people: a line for each finding, and one for the rest. */
export function* contentLines(
  io: Io,
  { collection, contents, bytes, unreferenced, findings }: ContentReport,
): Generator<string> {
  for (const finding of findings) yield findingLine(io, collection, finding);
  const since = unreferenced.since === undefined ? '' : `, some since ${unreferenced.since}`;
  const unused =
    unreferenced.contents === 0
      ? ''
      : `; nothing refers to ${unreferenced.contents.toLocaleString('en-US')} of them ` +
        `(${count(unreferenced.bytes, 'byte')}${since})`;
  yield (
    `${nameOf(collection)}: ${count(contents, 'file')} read (${count(bytes, 'byte')}), ` +
      `${count(findings.length, 'finding')}${unused}\n`
  );
}

function findingLine(
  io: Io,
  collection: CollectionKey,
  { digest, problem, itemCount, items, documents, outcome }: ContentFinding,
): string {
  const others = itemCount > items.length ? ` and ${count(itemCount - items.length, 'other')}` : '';
  const referrers = [
    ...(itemCount === 0 ? [] : [`linked to by ${items.join(', ')}${others}`]),
    ...documents.map((url) => `the copy of ${url}`),
  ];
  const isMended = outcome !== undefined && outcome !== 'lost';
  const parts = [
    `the file ${digest} is ${paint(io, 'stdout', isMended ? 'yellow' : 'red', problem)}`,
    ...referrers.map(printable),
    ...(outcome === undefined ? [] : [outcomes[outcome]]),
  ];
  return `${nameOf(collection)}: ${parts.join('; ')}\n`;
}
