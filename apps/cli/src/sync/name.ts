import { createHash } from 'node:crypto';

/** The longest that one part of a path may be, in bytes; file systems take 255. */
const maximumNameBytes = 180;

/** What a file system or a shell may take for something else. */
// oxlint-disable-next-line no-control-regex -- control characters are what it is for
const reservedCharacter = /[<>:"/\\|?*%\u0000-\u001f\u007f]/g;
const deviceName = /^(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\.|$)/i;

/**
 * One part of a URL's path as the name of a file or folder on any file system: percent signs are decoded,
 * what is reserved is encoded again, and a long name is cut and gets a digest. It is never empty, `.` or
 * `..`.
 */
export function nameOf(segment: string): string {
  const encoded = decoded(segment).normalize('NFC').replace(reservedCharacter, percent);
  const name = encoded
    .replace(/[. ]$/, percent)
    .replace(deviceName, (found) => percent(found.slice(0, 1)) + found.slice(1));
  if (name === '') return '_';
  return Buffer.byteLength(name) <= maximumNameBytes ? name : withMark(cut(name), segment);
}

/**
 * A name that differs from others which would be the same, by a digest of `distinction`; its extension stays.
 */
export function withMark(name: string, distinction: string): string {
  const mark = `~${createHash('sha256').update(distinction).digest('hex').slice(0, 12)}`;
  return beforeExtension(name, mark);
}

/** Puts a text in front of the extension, if there is one of up to 8 letters or digits. */
export function beforeExtension(name: string, text: string): string {
  const extension = /(?<=.)\.[A-Za-z0-9]{1,8}$/.exec(name)?.[0] ?? '';
  return name.slice(0, name.length - extension.length) + text + extension;
}

/** The beginning and the extension of a name that is too long. */
function cut(name: string): string {
  const extension = /(?<=.)\.[A-Za-z0-9]{1,8}$/.exec(name)?.[0] ?? '';
  let beginning = '';
  for (const character of name) {
    if (Buffer.byteLength(beginning + character) > maximumNameBytes - 30) break;
    beginning += character;
  }
  return beginning + extension;
}

function percent(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
