import { escapeAttribute } from '#xml';
import { adoptionNamespace } from '../engine/adopted.ts';
import { syncNamespace } from '../xml/namespace.ts';

/** What is said of a version that is adopted; `when` is RFC 3339 in whole seconds and UTC. */
interface FirstVersion {
  readonly id: string;
  readonly by: string;
  readonly mark: string;
  readonly when?: string | undefined;
  readonly deleted?: true;
}

/** The synchronisation data (2.4, 2.5) of an adopted item as if it were its first version. */
export function writeFirstVersion({ id, by, mark, when, deleted }: FirstVersion): string {
  return (
    `<sx:sync xmlns:sx="${syncNamespace}" id="${escapeAttribute(id)}" updates="1"` +
    `${deleted ? ' deleted="true"' : ''}>` +
    `<sx:history sequence="1"${when === undefined ? '' : ` when="${when}"`} by="${escapeAttribute(by)}" ` +
    `xmlns:adopted="${adoptionNamespace}" adopted:mark="${mark}"/></sx:sync>`
  );
}
