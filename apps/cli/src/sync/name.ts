import { createHash } from 'node:crypto';

/** The longest that one part of a path may be, in bytes; file systems take 255. */
const maximumNameBytes = 180;

/**
 * Characters that a file system, a shell or a terminal treats specially, that nobody sees, or that some file
 * systems ignore: `.g\u200cit` is `.git` on HFS+.
 */
const reservedCharacter = /[<>:"/\\|?*\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}\p{DI}\p{NChar}]/gu;

/**
 * Names whose first character is escaped: hidden files (`.git`, `.envrc`), options (`-rf`), devices of
 * Windows, and files without which a version control system takes no folder for a repository: `HEAD` for git.
 */
const reservedNames = [
  /^[.\- ]/,
  /^(?:con|prn|aux|nul|com\d|lpt\d|conin\$|conout\$|clock\$) *(?:\.|$)/i,
  /^(?:head|_darcs|_fossil_|_mtn)$/i,
];

/** The short names that NTFS gives to files: `GIT~1` is `.git`. */
const shortName = /~(?=\d{1,6}(?:\.|$))/g;

/**
 * Returns the name of a file or folder for one part of a URL's path, safe on any file system: percent
 * signs are decoded, reserved characters and names are encoded again, and a long name is cut and gets a
 * digest. It is never empty, `.` or `..`. Names can differ in case alone; `Places` prevents that.
 */
export function nameOf(segment: string): string {
  const name = escaped(decoded(segment).normalize('NFC').replaceAll('%', '%25'));
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

function escaped(text: string): string {
  const name = text.replace(reservedCharacter, percent).replace(shortName, percent).replace(/[. ]$/, percent);
  // Windows takes `COM¹` for a device, too.
  const plain = name.normalize('NFKC');
  return reservedNames.some((pattern) => pattern.test(plain)) ? name.replace(/^./su, percent) : name;
}

/** The UTF-8 of a character, each byte as `%XX`. */
function percent(character: string): string {
  return Buffer.from(character).toString('hex').toUpperCase().replaceAll(/../g, '%$&');
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
