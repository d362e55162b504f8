/** What a rule means: the status of its problems, and the detail of one. */
interface RuleNote {
  readonly status: number;
  readonly detail: string;
}

/** The rules that a problem can name, which stay the same over versions. */
export const problemRules = {
  // Of any request.
  'invalid-host': { status: 400, detail: 'A request of HTTP/1.1 has a Host (RFC 9112, 3.2).' },
  'malformed-request': { status: 400, detail: 'This is not a request of HTTP/1.1.' },
  'bad-request': { status: 400, detail: 'Failed to decode param "%".' },
  'cross-origin': { status: 403, detail: 'Web pages of other origins may only read.' },
  'not-found': { status: 404, detail: 'Cannot GET /v2. GET / lists what there is.' },
  'rewritten-path': { status: 404, detail: 'The path ends in a slash: a client has probably rewritten it.' },
  'method-not-allowed': { status: 405, detail: 'PATCH is not possible here, only GET, HEAD, OPTIONS.' },
  'request-timeout': { status: 408, detail: 'The request did not arrive in time.' },
  'expectation-failed': { status: 417, detail: 'The only Expect is "100-continue" (RFC 9110, 10.1.1).' },
  'unknown-host': { status: 421, detail: 'This gateway is not known as elsewhere.example.' },
  'header-too-large': { status: 431, detail: 'The header of this request is too large.' },
  'internal-error': {
    status: 500,
    detail: 'Something went wrong here. It is in the log of the gateway.',
  },
  unavailable: { status: 503, detail: 'MongoDB is not available. Nothing was changed.' },
  'outcome-unknown': {
    status: 503,
    detail:
      'MongoDB did not confirm what this request writes: all of it, a part or nothing may be stored. Send ' +
      'it again, an edit of an item with the same Idempotency-Key if it had one, or read what it was to ' +
      'change.',
  },
  'too-many-readers': {
    status: 503,
    detail:
      'This gateway allows 1000 waiting readers (setting GATEWAY_CHANGE_READERS). Try again in 5 seconds.',
  },
  // Of what a request brings.
  'invalid-input': { status: 400, detail: 'query.limit: a whole number from 1' },
  'invalid-json': { status: 400, detail: 'Unexpected end of JSON input' },
  'json-limit': { status: 400, detail: 'JSON is nested at most 64 deep (setting GATEWAY_JSON_DEPTH).' },
  'invalid-body': { status: 400, detail: 'request aborted' },
  'incomplete-body': { status: 400, detail: 'The body broke off.' },
  'invalid-patch': {
    status: 400,
    detail: 'A merge patch is a JSON object with what is to change (RFC 7396).',
  },
  'invalid-if-match': {
    status: 400,
    detail: 'If-Match is "*" or one entity tag such as "7" with its quotes, not 7.',
  },
  'invalid-idempotency-key': {
    status: 400,
    detail: 'An Idempotency-Key has 1 to 255 visible ASCII characters, without quotation marks in it.',
  },
  'idempotency-key-unsupported': {
    status: 400,
    detail: 'This request takes no Idempotency-Key: sent again, it would add the outlines once more.',
  },
  'unknown-command': { status: 400, detail: 'There is no command "publish".' },
  'not-acceptable': {
    status: 406,
    detail: 'An item can be had as application/json, application/atom+xml.',
  },
  'body-too-large': { status: 413, detail: 'A body has at most 1048576 bytes (setting GATEWAY_BODY_BYTES).' },
  'file-too-large': {
    status: 413,
    detail: 'A file has at most 1073741824 bytes (setting GATEWAY_FILE_BYTES).',
  },
  'item-too-large': { status: 413, detail: 'The item "groceries" would take more than 15728640 bytes.' },
  'unsupported-media-type': {
    status: 415,
    detail: 'A PATCH is application/merge-patch+json or application/json (RFC 7396).',
  },
  'unsupported-content-coding': {
    status: 415,
    detail: 'A file is sent as it is to be kept, not compressed with gzip.',
  },
  'invalid-xml': { status: 422, detail: 'The document ends inside the element "entry".' },
  'invalid-edit': {
    status: 422,
    detail: 'The id of the item "groceries" never changes (FeedSync 2.4, SSE 2.3).',
  },
  'invalid-resolution': { status: 422, detail: 'The item has no conflict 3.' },
  'edit-limit': { status: 422, detail: 'The item has as many updates as there can be.' },
  'idempotency-key-reused': {
    status: 422,
    detail: 'This Idempotency-Key was sent with another request.',
  },
  // Of what there is.
  'collection-not-found': { status: 404, detail: 'There is no collection "todo".' },
  'item-not-found': { status: 404, detail: 'The collection "todo" has no item "groceries".' },
  'subscription-not-found': { status: 404, detail: 'The collection "todo" has no subscription "peer".' },
  'feed-not-found': { status: 404, detail: 'The collection "todo" is published as Atom and as RSS.' },
  'file-not-found': { status: 404, detail: 'The collection "news" has no file with this SHA-256.' },
  'link-not-found': { status: 404, detail: 'The item "root:story-1" has 2 links, which count from 0.' },
  'dead-letter-not-found': { status: 404, detail: 'There is no dead letter "todo.3f7a".' },
  'cursor-gone': {
    status: 410,
    detail: 'The changes after 0000000000000007 are no longer kept; the oldest cursor is 0000000000000012.',
  },
  // Of how it is.
  'collection-fixed': {
    status: 409,
    detail: 'The format of the collection "todo" is "atom" and can\'t become "rss".',
  },
  'endpoint-used': {
    status: 409,
    detail: '"example.org:todo" is or was the endpoint identifier of the collection "todo".',
  },
  'item-exists': { status: 409, detail: 'The collection "todo" has an item "groceries".' },
  'item-state': { status: 409, detail: 'The item "groceries" is deleted.' },
  'revision-mismatch': { status: 412, detail: 'The item "groceries" has the revision 3, not 2.' },
  'not-an-outline': {
    status: 409,
    detail: 'The collection "todo" has the format atom; only one of the format opml is an outline.',
  },
  'not-a-tree': { status: 409, detail: 'The collection "todo" is no tree of feeds.' },
  'not-a-mirror': {
    status: 409,
    detail: 'The collection "news" is a tree of its own: nothing in it is fetched.',
  },
  'not-on-demand': { status: 409, detail: 'The link 0 of the item "root:story-1" is not on demand.' },
  mirror: {
    status: 409,
    detail: 'The collection "news" is a mirror: only the publisher changes what is in it.',
  },
  'own-items': {
    status: 409,
    detail: 'The collection "news" has items of its own: only an empty tree becomes a mirror.',
  },
  'feed-in-use': {
    status: 409,
    detail: 'The feed "pictures" of the tree "news" has 3 items; delete them first.',
  },
  'already-subscribed': {
    status: 409,
    detail: 'The collection "todo" reads https://peer.example/todo.atom as "peer".',
  },
  'subscription-gone': {
    status: 409,
    detail: 'The feed https://peer.example/todo.atom is gone: its server said so (410).',
  },
  'dead-letter-partial': {
    status: 422,
    detail: "What it is of was too large to be kept, so that it can't be taken in once more.",
  },
  'rejected-again': { status: 422, detail: 'The item was rejected again.' },
} as const satisfies Readonly<Record<string, RuleNote>>;

/** The last part of a problem's type. */
export type ProblemRule = keyof typeof problemRules;
