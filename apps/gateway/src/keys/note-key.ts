import { tenantOf } from '#core';
import type { AccessKey } from '#core';
import { noteCollection, noteSubject } from '../audit/change-in-progress.ts';

/**
 * Notes which key is changed, and what it is for if that is one collection or those of one tenant: whoever
 * administers that finds the entry then, whoever has made the change.
 */
export function noteKey({ id, grants }: Pick<AccessKey, 'id' | 'grants'>): void {
  noteSubject('key', id);
  const [first, ...others] = new Set(grants.map(({ collections }) => collections));
  if (first === undefined) return;
  const tenant = tenantOf(first);
  if (others.length === 0 && !first.endsWith('*')) noteCollection(first);
  else if (tenant !== undefined && others.every((other) => tenantOf(other) === tenant))
    noteCollection(`${tenant}.*`);
}
