/**
 * How long a percent-encoded segment may be, in characters, before the escape is written if that is
 * shorter.
 */
const longestEncoded = 2000;

/**
 * What URL clients, proxies or servers change, refuse or take for something else even when it is
 * percent-encoded: slashes and backslashes, percent signs, control characters, lone surrogates, and at the
 * start the mark of the escape.
 */
const troublesome = /^~|[/\\%\p{Cc}\p{Cs}]/u;

/**
 * Writes a text, such as the id of an item, as one segment of a URL path that every client sends as it is. An
 * ordinary text is percent-encoded (RFC 3986, 2.1). One that is empty, `.` or `..`, begins with `~`, holds a
 * slash, backslash, percent sign, control character or lone surrogate, or is very long, becomes `~` and the
 * base64url of its UTF-16 code units, the high byte first. No two texts have the same segment.
 */
export function pathSegment(text: string): string {
  if (/^\.{0,2}$/.test(text) || troublesome.test(text)) return escaped(text);
  const encoded = encodeURIComponent(text);
  if (encoded.length <= longestEncoded) return encoded;
  const shorter = escaped(text);
  return shorter.length < encoded.length ? shorter : encoded;
}

/**
 * Reads the text that a segment stands for: what `pathSegment` writes, the escape of any other text, and what
 * is percent-encoded only, whatever it holds.
 * @param segment after percent-decoding, which routers do
 * @returns undefined for what stands for no text: an empty segment, `.`, `..`, and `~` before anything but
 *   an escape
 */
export function textOfPathSegment(segment: string): string | undefined {
  if (/^\.{0,2}$/.test(segment)) return undefined;
  if (!segment.startsWith('~')) return segment;
  const bytes = Buffer.from(segment.slice(1), 'base64url');
  if (bytes.length % 2 !== 0 || bytes.toString('base64url') !== segment.slice(1)) return undefined;
  return bytes.swap16().toString('utf16le');
}

function escaped(text: string): string {
  return `~${Buffer.from(text, 'utf16le').swap16().toString('base64url')}`;
}
