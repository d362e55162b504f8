import type { TreeLinkView } from '#contracts';
import type { Io } from '../io.ts';
import { paint, printable, size } from '../terminal/text.ts';

const colours = { stale: 'yellow', failed: 'red', waiting: 'dim', 'on-demand': 'dim' } as const;

/** A state for people; `elsewhere` is what a link leads to that is not followed. */
export function stateWords(state: TreeLinkView['state']): string {
  return state?.replace('-', ' ') ?? 'elsewhere';
}

/** The same, with its colour. */
export function stateText(io: Io, state: TreeLinkView['state']): string {
  const words = stateWords(state);
  return state === undefined || state === 'cached' ? words : paint(io, 'stdout', colours[state], words);
}

/** A link for people: `cached, a.jpg, image/jpeg, 3.4 MB`; why, if something failed. */
export function linkText(io: Io, { state, feed, file, url, source = url, reason }: TreeLinkView): string {
  const target =
    feed === undefined
      ? file === undefined
        ? [source]
        : [file.name, file.type, size(file.length)]
      : [`feed ${feed}`];
  const parts = [stateText(io, state), ...target.filter((part) => part !== undefined).map(printable)];
  return `${parts.join(', ')}${reason === undefined ? '' : `: ${reasonText(io, reason)}`}`;
}

export function reasonText(io: Io, { reason, rule }: NonNullable<TreeLinkView['reason']>): string {
  return `${printable(reason)} ${paint(io, 'stdout', 'dim', `[${printable(rule)}]`)}`;
}
