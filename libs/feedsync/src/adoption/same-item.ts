import type { Payload } from '#xml';
import type { AdoptedFragment } from '#protocol';
import { adoptionMark } from '../engine/adopted.ts';
import type { Item } from '../engine/item.ts';
import { readItem } from '../xml/item-reading.ts';
import { plainIdentity } from './plain-identity.ts';
import { sameAddress } from './same-address.ts';

/**
 * Whether an item here is the one that a fragment of a plain feed contains, with which it shares an
 * identifier: a version of it said the same, or it has the same title, or the same link beside a stated
 * identifier.
 */
export function isSameItem(local: Item<Payload>, fragment: AdoptedFragment): boolean {
  const histories = [local, ...local.conflicts].flatMap(({ sync }) => sync.history);
  if (histories.some((entry) => adoptionMark(entry) === fragment.digest)) return true;
  const read = readItem(fragment);
  if (read.kind !== 'item') return false;
  const [one, other] = [plainIdentity(local.data), plainIdentity(read.item.data)];
  if (one.digest !== undefined && one.digest === other.digest) return true;
  return (
    fragment.shared?.isStated === true &&
    one.link !== undefined &&
    sameAddress(one.link) === sameAddress(other.link ?? '')
  );
}
