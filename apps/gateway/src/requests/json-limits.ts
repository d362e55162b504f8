/** How much JSON may be in a body. */
export interface JsonLimits {
  /** Arrays and objects inside one another. */
  readonly depth: number;
  /** Values, each one in an array or object counted. */
  readonly values: number;
}

const [quote, backslash, comma, openArray, closeArray, openObject, closeObject] = [
  0x22, 0x5c, 0x2c, 0x5b, 0x5d, 0x7b, 0x7d,
];

/**
 * Looks through the bytes of JSON in UTF-8 once, without parsing it, because parsing what is nested deeply,
 * and checking very many values, takes long. What is no JSON may pass: the parser refuses it.
 * @returns what is beyond which limit; undefined if nothing is
 */
export function jsonFault(bytes: Uint8Array, { depth: maximum, values }: JsonLimits): string | undefined {
  let [depth, count] = [0, 1];
  for (let index = 0; index < bytes.length; index += 1) {
    const byte = bytes[index];
    if (byte === quote) index = endOfText(bytes, index);
    else if (byte === closeArray || byte === closeObject) depth -= 1;
    else if (byte === comma) count += 1;
    else if (byte === openArray || byte === openObject) [depth, count] = [depth + 1, count + 1];
    if (depth > maximum)
      return `JSON is nested ${maximum} arrays and objects deep at most (setting GATEWAY_JSON_DEPTH).`;
    if (count > values) return `JSON has at most ${values} values (setting GATEWAY_JSON_VALUES).`;
  }
  return undefined;
}

/** Where the text that begins at this quotation mark ends. */
function endOfText(bytes: Uint8Array, start: number): number {
  let index = start + 1;
  while (index < bytes.length && bytes[index] !== quote) index += bytes[index] === backslash ? 2 : 1;
  return index;
}
