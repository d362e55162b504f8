/** What a rule means: the status of its problems, and the detail of one. */
interface RuleNote {
  readonly status: number;
  readonly detail: string;
}

const rule = (status: number, detail: string): RuleNote => ({ status, detail });

/** The rules that a problem can name, which stay the same over versions. */
export const problemRules = {
  // Of any request.
  'invalid-host': rule(400, 'A request has one Host (RFC 9112, 3.2).'),
  'malformed-request': rule(400, 'This is not a request of HTTP/1.1.'),
  'bad-request': rule(400, 'Failed to decode param "%".'),
  unauthenticated: rule(401, 'This needs a key with the permission "read": Authorization: Bearer KEY.'),
  'invalid-credentials': rule(401, 'The key is unknown, expired or revoked.'),
  forbidden: rule(403, 'The key "reporting" has no permission "write" for the collection "todo".'),
  'tenant-suspended': rule(403, 'The tenant "acme" is suspended.'),
  'tenant-limit': rule(403, 'The tenant "acme" may have 20 collections (its own limit) and has 20.'),
  'tenant-throttled': rule(
    429,
    'The tenant "acme" may send 500 requests a second (requestsPerSecond, its own limit). Try again in ' +
      '1 second.',
  ),
  'cross-origin': rule(403, 'Web pages of other origins may only read.'),
  'not-found': rule(404, 'Cannot GET /v2. GET / lists what there is.'),
  'rewritten-path': rule(404, 'The path ends in a slash: a client has probably rewritten it.'),
  'method-not-allowed': rule(405, 'PATCH is not possible here, only GET, HEAD, OPTIONS.'),
  'request-timeout': rule(408, 'The request did not arrive in time.'),
  'expectation-failed': rule(417, 'The only Expect is "100-continue" (RFC 9110, 10.1.1).'),
  'unknown-host': rule(421, 'This gateway is not known as elsewhere.example.'),
  'header-too-large': rule(431, 'The header of this request is too large.'),
  'internal-error': rule(500, 'Something went wrong here. It is in the log of the gateway.'),
  unavailable: rule(503, 'MongoDB is not available. Nothing was changed.'),
  'outcome-unknown': rule(
    503,
    'MongoDB did not confirm what this request writes: all of it, a part or nothing may be stored. Send ' +
      'it again, an edit of an item with the same Idempotency-Key if it had one, or read what it was to ' +
      'change.',
  ),
  'too-many-readers': rule(
    503,
    'This gateway allows 1000 waiting readers (setting GATEWAY_CHANGE_READERS). Try again in 5 seconds.',
  ),
  // Of what a request brings.
  'invalid-input': rule(400, 'query.limit: a whole number from 1'),
  'invalid-json': rule(400, 'Unexpected end of JSON input'),
  'json-limit': rule(400, 'JSON is nested at most 64 deep (setting GATEWAY_JSON_DEPTH).'),
  'invalid-body': rule(400, 'request aborted'),
  'incomplete-body': rule(400, 'The body broke off.'),
  'invalid-patch': rule(400, 'A merge patch is a JSON object with what is to change (RFC 7396).'),
  'invalid-if-match': rule(400, 'If-Match is "*" or one entity tag such as "7" with its quotes, not 7.'),
  'invalid-idempotency-key': rule(
    400,
    'An Idempotency-Key has 1 to 255 visible ASCII characters, without quotation marks in it.',
  ),
  'idempotency-key-unsupported': rule(
    400,
    'This request takes no Idempotency-Key: sent again, it would add the outlines once more.',
  ),
  'unknown-command': rule(400, 'There is no command "publish".'),
  'not-acceptable': rule(406, 'An item can be had as application/json, application/atom+xml.'),
  'body-too-large': rule(413, 'A body has at most 1048576 bytes (setting GATEWAY_BODY_BYTES).'),
  'file-too-large': rule(413, 'A file has at most 1073741824 bytes (setting GATEWAY_FILE_BYTES).'),
  'item-too-large': rule(413, 'The item "groceries" would take more than 15728640 bytes.'),
  'unsupported-media-type': rule(
    415,
    'A PATCH is application/merge-patch+json or application/json (RFC 7396).',
  ),
  'unsupported-content-coding': rule(415, 'A file is sent as it is to be kept, not compressed with gzip.'),
  'preview-failed': rule(422, 'https://paper.example/rss: the server responded with 404'),
  'preview-unavailable': rule(503, 'No fetcher replied within 25 seconds. Try again in 5 seconds.'),
  'invalid-xml': rule(422, 'The document ends inside the element "entry".'),
  'invalid-edit': rule(422, 'The id of the item "groceries" never changes (FeedSync 2.4, SSE 2.3).'),
  'invalid-resolution': rule(422, 'The item has no conflict 3.'),
  'edit-limit': rule(422, 'The item has as many updates as there can be.'),
  'idempotency-key-reused': rule(422, 'This Idempotency-Key was sent with another request.'),
  // Of what there is.
  'collection-not-found': rule(404, 'There is no collection "todo".'),
  'item-not-found': rule(404, 'The collection "todo" has no item "groceries".'),
  'deletion-not-found': rule(404, 'The collection "reading" has no deletion "3f7a0c6b".'),
  'subscription-not-found': rule(404, 'The collection "todo" has no subscription "peer".'),
  'feed-not-found': rule(404, 'The collection "todo" is published as Atom and as RSS.'),
  'file-not-found': rule(404, 'The collection "news" has no file with this SHA-256.'),
  'link-not-found': rule(404, 'The item "root:story-1" has 2 links, which count from 0.'),
  'tenant-not-found': rule(404, 'There is no tenant "acme".'),
  'tenant-in-use': rule(409, 'The tenant "acme" has collections; remove them first.'),
  'key-not-found': rule(404, 'There is no key "k7d1q0v3m2x9".'),
  'dead-letter-not-found': rule(404, 'There is no dead letter "todo.3f7a".'),
  'callback-not-found': rule(404, 'There is nothing to verify or to announce here.'),
  'callback-ended': rule(410, 'Nobody waits for these announcements any more.'),
  'too-many-collections': rule(400, 'One cursor is for at most 500 collections.'),
  'cursor-gone': rule(
    410,
    'The changes after 0000000000000007 are no longer kept; the oldest cursor is 0000000000000012.',
  ),
  // Of how it is.
  'collection-fixed': rule(409, 'The format of the collection "todo" is "atom" and can\'t become "rss".'),
  'collection-being-removed': rule(
    409,
    'The collection "todo" was removed, and what it had is still being deleted. Try again in a few seconds.',
  ),
  'endpoint-used': rule(
    409,
    '"example.org:todo" is or was the endpoint identifier of the collection "todo".',
  ),
  'item-exists': rule(409, 'The collection "todo" has an item "groceries".'),
  'item-state': rule(409, 'The item "groceries" is deleted.'),
  'revision-mismatch': rule(412, 'The item "groceries" has the revision 3, not 2.'),
  'not-an-outline': rule(
    409,
    'The collection "todo" has the format atom; only one of the format opml is an outline.',
  ),
  'not-a-tree': rule(409, 'The collection "todo" is no tree of feeds.'),
  'not-a-mirror': rule(409, 'The collection "news" is a tree of its own: nothing in it is fetched.'),
  'not-on-demand': rule(409, 'The link 0 of the item "root:story-1" is not on demand.'),
  mirror: rule(409, 'The collection "news" is a mirror: only the publisher changes what is in it.'),
  'own-items': rule(409, 'The collection "news" has items of its own: only an empty tree becomes a mirror.'),
  'feed-in-use': rule(409, 'The feed "pictures" of the tree "news" has 3 items; delete them first.'),
  'already-subscribed': rule(409, 'The collection "todo" reads https://peer.example/todo.atom as "peer".'),
  'subscription-gone': rule(
    409,
    'The feed https://peer.example/todo.atom is gone: its server said so (410).',
  ),
  'key-exists': rule(409, 'The subject "CN=shop" stands for the key "3f7a0c6b9d1e2f48" already.'),
  'keys-unavailable': rule(
    409,
    'Keys are kept as digests under a secret of the installation, and there is none (setting AUTH_SECRETS).',
  ),
  'dead-letter-partial': rule(
    422,
    "What it is of was too large to be kept, so that it can't be taken in once more.",
  ),
  'rejected-again': rule(422, 'The item was rejected again.'),
} as const satisfies Readonly<Record<string, RuleNote>>;

/** The last part of a problem's type. */
export type ProblemRule = keyof typeof problemRules;
