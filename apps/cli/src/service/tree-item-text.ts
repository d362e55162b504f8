import type { TreeItemView, TreeLinkView } from '#contracts';
import type { Io } from '../io.ts';
import { indented, paint, printable } from '../terminal/text.ts';
import { timeText } from '../terminal/time.ts';
import { actorText } from './actor-text.ts';
import { linkText } from './link-text.ts';

/**
 * An item of a tree for people: its fields, and each link under its number with its state and where it leads.
 */
export function treeItemText(item: TreeItemView, io: Io): string {
  const {
    id,
    title = '',
    deleted,
    hidden,
    version,
    feed,
    lastBuildDate,
    link,
    summary,
    content,
    categories = [],
    links,
    actor,
  } = item;
  const state = [deleted && 'deleted', hidden && 'hidden', `version ${version}`].filter(
    (part) => part !== false,
  );
  const fields = {
    feed,
    lastBuildDate: lastBuildDate && timeText(io, lastBuildDate),
    link,
    categories: categories.length > 0 ? categories.join(', ') : undefined,
    summary,
    content,
    'edited by': actor && actorText(actor),
  };
  return [
    `${paint(io, 'stdout', 'bold', printable(id))}: ${printable(title)} (${state.join(', ')})\n`,
    ...Object.entries(fields).flatMap(([name, value]) =>
      value === undefined ? [] : [`  ${name}: ${indented(value)}\n`],
    ),
    ...links.map((one, number) => linkLines(io, one, number)),
  ].join('');
}

function linkLines(io: Io, link: TreeLinkView, number: number): string {
  const { url, source, onDemand, state, feed, file } = link;
  const isHere = feed !== undefined || file !== undefined;
  const lines = [
    `link ${number}: ${linkText(io, link)}`,
    isHere && `  ${printable(url)}`,
    isHere && source !== undefined && `  from ${printable(source)}`,
    onDemand &&
      (state === 'on-demand' || state === 'failed') &&
      `  to fetch it: feedmesh fetch COLLECTION ID ${number}`,
  ];
  return lines
    .filter((line) => line !== false)
    .map((line) => `  ${line}\n`)
    .join('');
}
