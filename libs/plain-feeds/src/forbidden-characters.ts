const forbidden = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;

/** Where the first character stands that XML forbids (XML 1.0, 2.2); -1 if there is none. */
export function forbiddenPlace(text: string): number {
  return text.search(forbidden);
}

/** A text without the characters that XML forbids. */
export function withoutForbidden(text: string): string {
  return inParts(text, (part) => part.replace(forbidden, ''));
}

/** A text with the line ends of XML (XML 1.0, 2.11). */
export function withLineFeeds(text: string): string {
  return inParts(text, (part) => part.replace(/\r\n?/g, '\n'));
}

/** How much of a text is changed in one go. */
const partLength = 65_536;

/**
 * A text that is changed part by part, none of which ends in a pair: what a replacement takes for its matches
 * is more than the text, and has to be there in one piece.
 */
export function inParts(text: string, change: (part: string) => string): string {
  if (text.length <= partLength) return change(text);
  const parts: string[] = [];
  for (let start = 0; start < text.length;) {
    let end = start + partLength;
    if (/[\r\uD800-\uDBFF]/.test(text[end - 1] ?? '')) end += 1;
    parts.push(change(text.slice(start, end)));
    start = end;
  }
  return parts.join('');
}
