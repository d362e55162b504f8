import { shortJsonFragments } from './short-json-fragments.ts';

/** How many fragments are one character, U+0001 to U+001E. */
const singles = 30;

/** What the characters of the others begin with. */
const prefix = '\u001f';

const codes = new Map(
  shortJsonFragments.map((fragment, place) => [
    fragment,
    place < singles
      ? String.fromCharCode(place + 1)
      : prefix + String.fromCharCode(place - singles + ' '.charCodeAt(0)),
  ]),
);
const fragments = new Map([...codes].map(([fragment, code]) => [code, fragment]));

/** The longest one first, since the first alternative that fits is taken. */
const anyFragment = new RegExp(
  shortJsonFragments
    .toSorted((one, other) => other.length - one.length)
    .map((fragment) => fragment.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`))
    .join('|'),
  'g',
);
const anyCode = new RegExp(String.raw`[\u0001-\u001e]|${prefix}[^]?`, 'g');

/**
 * Returns a value as JSON in which what items say again and again is one or two characters
 * (`shortJsonFragments`): how the store writes what it never looks into. JSON itself has no control
 * characters (it writes them `\u0001`), so whatever a text holds, nothing in it is taken for one of these.
 * @param value something that `JSON.stringify` writes
 */
export function toShortJson(value: object): string {
  return shortened(JSON.stringify(value));
}

/**
 * Returns the value of a text that `toShortJson` wrote, or `JSON.stringify`. Throws `RangeError` for a
 * fragment that this version does not know, `SyntaxError` for what is no JSON.
 */
export function fromShortJson(text: string): unknown {
  return JSON.parse(restored(text));
}

/** What `toShortJson` makes of JSON. */
export function shortened(json: string): string {
  return json.replaceAll(anyFragment, (fragment) => codes.get(fragment) ?? fragment);
}

/** The JSON that was shortened. Throws `RangeError` as `fromShortJson` does. */
export function restored(text: string): string {
  return text.replaceAll(anyCode, fragmentOf);
}

function fragmentOf(code: string): string {
  const fragment = fragments.get(code);
  if (fragment === undefined)
    throw new RangeError(
      `the stored text has the fragment ${JSON.stringify(code)}, which this version of Feedmesh does not ` +
        'know: run the newer one that wrote it',
    );
  return fragment;
}
