const forbidden = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;

/** Where the first character stands that XML forbids (XML 1.0, 2.2); -1 if there is none. */
export function forbiddenPlace(text: string): number {
  return text.search(forbidden);
}

/** A text without the characters that XML forbids. */
export function withoutForbidden(text: string): string {
  return text.replace(forbidden, '');
}
