import type { IssuedKeyView } from '#contracts';

/**
 * A key as it is printed, or its id if a certificate stands for it, and what addresses of feeds begin with
 * for a reader that can send no key.
 */
export function keyText({ id, key, address }: Pick<IssuedKeyView, 'id' | 'key' | 'address'>): string {
  return [key ?? id, address].flatMap((line) => (line === undefined ? [] : [`${line}\n`])).join('');
}
