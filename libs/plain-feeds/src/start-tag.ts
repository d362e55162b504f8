/** How long an attribute's value may be, in UTF-16 code units: a quote that is not closed by then is none. */
const maximumValueLength = 65_536;

const tagName = /[A-Za-z_][\w.-]*(?::[A-Za-z_][\w.-]*)?/y;

/** A start tag as it is written. */
export interface StartTag {
  readonly whole: string;
  readonly name: string;
  readonly attributes: string;
  readonly isEmpty: boolean;
  /** The offset behind it. */
  readonly end: number;
}

/** The start tag at an offset, if there is one; a `>` in quotes does not end it. */
export function startTagAt(text: string, offset: number): StartTag | undefined {
  const [name] = matchAt(tagName, text, offset + 1) ?? [];
  if (name === undefined) return undefined;
  const begin = offset + 1 + name.length;
  if (!/[\s/>]/.test(text[begin] ?? '')) return undefined;
  for (let at = begin; at < text.length; at += 1) {
    const character = text[at];
    if (character === '<') return undefined;
    if (character === '>') {
      const isEmpty = text[at - 1] === '/';
      const attributes = text.slice(begin, isEmpty ? at - 1 : at);
      return { name, attributes, isEmpty, whole: text.slice(offset, at + 1), end: at + 1 };
    }
    if ((character === '"' || character === "'") && /=\s*$/.test(text.slice(Math.max(begin, at - 20), at)))
      at = closingQuote(text, at) ?? at;
  }
  return undefined;
}

/** The place of the quote that closes the one at an offset; undefined if there is none near enough. */
function closingQuote(text: string, offset: number): number | undefined {
  const end = Math.min(text.length, offset + maximumValueLength);
  for (let at = offset + 1; at < end; at += 1) if (text[at] === text[offset]) return at;
  return undefined;
}

/** Matches a sticky pattern at an offset. */
export function matchAt(pattern: RegExp, text: string, offset: number): RegExpExecArray | undefined {
  pattern.lastIndex = offset;
  return pattern.exec(text) ?? undefined;
}
