import { TextDecoder as WebDecoder } from '@exodus/bytes/encoding.js';
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

/**
 * Decodes a feed by the order of RFC 7303 (3.2): byte order mark, `charset` of the media type, XML
 * declaration, UTF-8. The names of encodings are the labels of the WHATWG Encoding Standard, in which
 * `iso-8859-1` and `us-ascii` mean windows-1252. Throws `FeedError` with rule `encoding-unknown`, or
 * `encoding-invalid` if bytes do not belong to the encoding.
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

function encodingOf(head: Uint8Array, charset: string | undefined): string | undefined {
  return byteOrderMark(head) ?? charset ?? declaredEncoding(head);
}

/** The encoding that a document names, by the order of `createFeedDecoder`; undefined if it names none. */
export function namedEncoding(bytes: Uint8Array, contentType?: string): string | undefined {
  return encodingOf(bytes.subarray(0, declarationLength), charsetOf(contentType));
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

function openDecoder(encoding = 'utf-8'): CharacterDecoder {
  const decoder = decoderOf(encoding);
  const decode = (bytes?: Uint8Array) => {
    try {
      return decoder.decode(bytes, { stream: bytes !== undefined });
    } catch (error) {
      throw violation('encoding-invalid', `The bytes are not valid ${encoding.toUpperCase()}.`, error);
    }
  };
  return { write: decode, end: () => decode() };
}

function decoderOf(encoding: string): { decode(bytes?: Uint8Array, options?: { stream: boolean }): string } {
  try {
    // The decoder of Node.js is faster, but some versions decode windows-1252 as ISO-8859-1.
    return new (utf8.test(encoding) ? TextDecoder : WebDecoder)(encoding, { fatal: true });
  } catch (error) {
    const name = JSON.stringify(encoding.slice(0, 60));
    throw violation('encoding-unknown', `The character encoding ${name} is not known.`, error);
  }
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

/**
 * Returns the text of the beginning of a document; empty if it is in no encoding that is read, which reading
 * the document reports.
 * @param contentType the media type with its parameters, as the server sent it
 */
export function beginningText(bytes: Uint8Array, contentType?: string): string {
  try {
    return createFeedDecoder(contentType).write(bytes);
  } catch (error) {
    if (!(error instanceof FeedError)) throw error;
    return '';
  }
}
