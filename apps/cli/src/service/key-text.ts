import type { IssuedKeyView } from '#contracts';

/** A key as it is printed, and what addresses of feeds begin with for a reader that can send no key. */
export function keyText({ key, address }: Pick<IssuedKeyView, 'key' | 'address'>): string {
  return [key, address].flatMap((line) => (line === undefined ? [] : [`${line}\n`])).join('');
}
