import { createHash } from 'node:crypto';
import { plainTexts } from '#xml';
import type { Payload } from '#xml';

/**
 * What stands for the data of a version, as `Signature` has it: whether it is deleted, and digests of what it
 * says. Nobody compares what a deleted item says.
 */
export function markOf(payload: Payload, deleted: boolean): readonly string[] {
  return deleted ? ['deleted'] : ['live', ...plainTexts(payload).map(digestOf)];
}

function digestOf(text: string): string {
  return text === '' ? '' : createHash('sha256').update(text).digest('base64url').slice(0, 12);
}
