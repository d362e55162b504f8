/** Lines of a case file that follow each other, and the number of the first one in the file. */
export interface LineBlock {
  readonly lines: readonly string[];
  readonly firstLine: number;
}

const propertyLine = /^([A-Za-z]+(?:\.[A-Za-z]+)*):(?: +(.*))?$/;
const jsonStart = /^(?:["[{]|(?:-?\d+(?:\.\d+)?|true|false|null)$)/;
const continuation = /^(?:[ \t]|[\]}])/;

/**
 * Reads lines of the form `key: value`. A value is JSON if it starts with `"`, `[` or `{` or is a number,
 * `true`, `false` or `null`, and plain text otherwise. JSON may continue on lines that are indented or start
 * with the closing bracket. A key without a value takes the indented lines below it as a list of texts.
 * `a.b: 1` is `{ "a": { "b": 1 } }`. Blank lines do not count.
 * @throws Error with the number of the line
 */
export function parseProperties({ lines, firstLine }: LineBlock): Record<string, unknown> {
  const properties: Record<string, unknown> = {};
  for (let index = 0; index < lines.length;) {
    const place = `line ${firstLine + index}`;
    const line = lines[index] ?? '';
    const next = endOfValue(lines, index + 1);
    if (line.trim() !== '') {
      const [, key, text = ''] = propertyLine.exec(line) ?? [];
      if (key === undefined) throw new Error(`${place}: expected \`key: value\`; got \`${line}\``);
      setProperty(properties, key, parseValue(text.trim(), lines.slice(index + 1, next), place), place);
    }
    index = next;
  }
  return properties;
}

/** Sets `a.b` in the objects that the dots name. Throws an error if the property is set already. */
export function setProperty(
  target: Record<string, unknown>,
  key: string,
  value: unknown,
  place: string,
): void {
  const names = key.split('.');
  const last = names.pop() ?? '';
  let object = target;
  for (const name of names) {
    const inner = (object[name] ??= {});
    if (!isObject(inner)) throw new Error(`${place}: \`${key}\` is given twice`);
    object = inner;
  }
  if (last in object) throw new Error(`${place}: \`${key}\` is given twice`);
  object[last] = value;
}

function endOfValue(lines: readonly string[], start: number): number {
  let end = start;
  while (continuation.test(lines[end] ?? '')) end += 1;
  return end;
}

function parseValue(text: string, more: readonly string[], place: string): unknown {
  if (text === '' && more.length > 0) return more.map((line) => line.trim());
  if (text === '') throw new Error(`${place}: the value is missing; an empty text is \`""\``);
  if (jsonStart.test(text)) return parseJson([text, ...more].join('\n'), place);
  if (more.length > 0) throw new Error(`${place}: a text takes one line`);
  return text;
}

function parseJson(text: string, place: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`${place}: the value is not JSON`, { cause: error });
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
