import { pagesOf } from '#core';
import type { AccessKey, AccessKeyStore, PageRequest } from '#core';
import type { Principal } from '../access/principal.ts';
import { administers } from './find-key.ts';

/** How many keys are read at a time. */
const step = 500;

/** Loads keys that a caller administers, as if there were no others. */
export async function administeredKeys(
  keys: Pick<AccessKeyStore, 'list'>,
  caller: Pick<Principal, 'grants'>,
  { after, limit }: PageRequest,
): Promise<AccessKey[]> {
  const found: AccessKey[] = [];
  for await (const page of pagesOf(
    (wanted) => keys.list(wanted),
    ({ id }) => id,
    step,
    after,
  )) {
    found.push(...page.filter((key) => administers(caller, key)));
    if (found.length >= limit) break;
  }
  return found.slice(0, limit);
}
