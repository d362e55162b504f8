import iconv from 'iconv-lite';
import { FeedError } from './feed-error.ts';

/**
 * Turns the bytes of a feed, which come in pieces, into text without a byte order mark. Both throw
 * `FeedError`.
 */
export interface FeedDecoder {
  write(bytes: Uint8Array): string;
  end(): string;
}

/** A decoder of one character encoding. */
interface CharacterDecoder {
  write(bytes: Uint8Array): string;
  end(): string;
}

// An encoding declaration has to be within the first bytes; nothing longer is waited for.
const declarationLength = 1024;
const utf8 = /^utf-?8$/i;
const utf16 = /^utf-?16(le|be)?$/i;
const legacy = new RegExp(
  `^(?:${[
    'us-?ascii|ascii|iso[-_]?8859[-_]?[0-9]{1,2}|latin-?[0-9]{1,2}',
    'windows-?[0-9]{3,4}|cp[0-9]{3,4}|koi8-?[rut]{1,2}|macintosh|tis-?620',
    'gbk|gb_?2312|gb18030|big5(?:-hkscs)?|shift[-_]?jis|euc-?(?:jp|kr)|ks_c_5601-1987',
  ].join('|')})$`,
  'i',
);

/**
 * Decodes a feed by the order of RFC 7303 (3.2): byte order mark, `charset` of the media type, XML
 * declaration, UTF-8. Throws `FeedError` with rule `encoding-unknown`, or `encoding-invalid` if bytes do
 * not belong to the encoding.
 * @param contentType the media type with its parameters, as the server sent it.
 */
export function createFeedDecoder(contentType?: string): FeedDecoder {
  const charset = charsetOf(contentType);
  let head = new Uint8Array(0);
  let decoder: CharacterDecoder | undefined;
  return {
    write(bytes) {
      if (decoder !== undefined) return decoder.write(bytes);
      head = joined(head, bytes);
      if (!isHeadEnough(head, charset)) return '';
      decoder = openDecoder(encodingOf(head, charset));
      return decoder.write(head);
    },
    end() {
      if (decoder !== undefined) return decoder.end();
      decoder = openDecoder(encodingOf(head, charset));
      return decoder.write(head) + decoder.end();
    },
  };
}

function charsetOf(contentType = ''): string | undefined {
  const match = /;\s*charset\s*=\s*(?:"([^"]*)"|([^\s;"]+))/i.exec(contentType.slice(0, declarationLength));
  return match?.[1] ?? match?.[2];
}

function isHeadEnough(head: Uint8Array, charset: string | undefined): boolean {
  if (head.length < 4) return false;
  if (charset !== undefined || byteOrderMark(head) !== undefined || !ascii(head).startsWith('<?xm'))
    return true;
  return head.length >= declarationLength || head.includes(0x3e);
}

function encodingOf(head: Uint8Array, charset: string | undefined): string {
  return byteOrderMark(head) ?? charset ?? declaredEncoding(head) ?? 'utf-8';
}

function byteOrderMark(head: Uint8Array): string | undefined {
  if (head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf) return 'utf-8';
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be';
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le';
  return undefined;
}

function declaredEncoding(head: Uint8Array): string | undefined {
  // `<?` in UTF-16 without a mark (XML 1.0, appendix F).
  if (head[0] === 0 && head[1] === 0x3c && head[2] === 0) return 'utf-16be';
  if (head[0] === 0x3c && head[1] === 0 && head[3] === 0) return 'utf-16le';
  return /^<\?xml\s[^>]*?\sencoding\s*=\s*["']([A-Za-z][A-Za-z0-9._-]*)["']/.exec(ascii(head))?.[1];
}

function openDecoder(encoding: string): CharacterDecoder {
  if (utf8.test(encoding)) return unicodeDecoder('utf-8');
  const endianness = utf16.exec(encoding);
  if (endianness !== null)
    return unicodeDecoder(endianness[1]?.toLowerCase() === 'be' ? 'utf-16be' : 'utf-16le');
  if (!legacy.test(encoding) || !iconv.encodingExists(encoding))
    throw violation(
      'encoding-unknown',
      `The character encoding ${JSON.stringify(encoding.slice(0, 60))} is not known.`,
    );
  return legacyDecoder(encoding);
}

function unicodeDecoder(encoding: string): CharacterDecoder {
  const decoder = new TextDecoder(encoding, { fatal: true });
  const decode = (bytes?: Uint8Array) => {
    try {
      return decoder.decode(bytes, { stream: bytes !== undefined });
    } catch (error) {
      throw violation('encoding-invalid', `The bytes are not valid ${encoding.toUpperCase()}.`, error);
    }
  };
  return { write: decode, end: () => decode() };
}

function legacyDecoder(encoding: string): CharacterDecoder {
  const decoder = iconv.getDecoder(encoding);
  // iconv-lite puts U+FFFD for what it can't decode, and no such encoding has that character.
  const checked = (text = '') => {
    if (text.includes('\uFFFD')) throw violation('encoding-invalid', `The bytes are not valid ${encoding}.`);
    return text;
  };
  return { write: (bytes) => checked(decoder.write(bytes as Buffer)), end: () => checked(decoder.end()) };
}

function violation(rule: string, message: string, cause?: unknown): FeedError {
  return new FeedError({ rule, section: 'RFC 7303 3', message, line: 1, column: 1 }, { cause });
}

function ascii(head: Uint8Array): string {
  return String.fromCharCode(...head.subarray(0, declarationLength));
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const both = new Uint8Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}
