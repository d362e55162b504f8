import { recognizedBytes, recognizeDocument } from './document-kind.ts';
import type { DocumentKind } from './document-kind.ts';
import { FeedError } from './feed-error.ts';

/** The rules about a whole document. What a document is explains no other error in a feed. */
const wholeDocumentRules = new Set([
  'feed-root',
  'xml-well-formed',
  'xml-character',
  'xml-version',
  'encoding-unknown',
  'encoding-invalid',
]);

/**
 * Keeps the first bytes of a document while it is read, so that an error can say what the document is and not
 * only what the parser met.
 */
export class DocumentBeginning {
  readonly #bytes = new Uint8Array(recognizedBytes);
  #length = 0;

  /** Takes the next piece of the document, of any length; only the first `recognizedBytes` bytes are kept. */
  take(piece: Uint8Array): void {
    const part = piece.subarray(0, recognizedBytes - this.#length);
    this.#bytes.set(part, this.#length);
    this.#length += part.length;
  }

  get kind(): DocumentKind {
    return recognizeDocument(this.#bytes.subarray(0, this.#length));
  }

  /** Returns the error with what the document is before its message: `This is an HTML page. …`. */
  explain(error: FeedError): FeedError {
    const { violation } = error;
    const sentence = sentenceFor(this.kind, violation.rule);
    return sentence === undefined
      ? error
      : new FeedError({ ...violation, message: `${sentence} ${violation.message}` }, { cause: error });
  }
}

function sentenceFor({ kind, name, isFeed }: DocumentKind, rule: string): string | undefined {
  if (isFeed && !wholeDocumentRules.has(rule)) return undefined;
  if (isFeed) return `This is ${name}${rule === 'xml-well-formed' ? ', but its XML is broken' : ''}.`;
  switch (kind) {
    case 'rdf':
    case 'atom-0.3':
    case 'json-feed':
      return `This is ${name}, a format that is not read.`;
    default:
      return `This is ${name}, not a feed.`;
  }
}
