import { atomNamespace, readAttributes } from '#xml';
import type { Child } from '#xml';

/** Whether a child is an enclosure or a link of Atom without an address. */
export function isEmptyEnclosure({ namespace, name, xml }: Child): boolean {
  if (namespace === '' && name === 'enclosure') return isBlank(readAttributes(xml).get('url'));
  return namespace === atomNamespace && name === 'link' && isBlank(readAttributes(xml).get('href'));
}

function isBlank(address: string | undefined): boolean {
  return (address?.trim() ?? '') === '';
}
