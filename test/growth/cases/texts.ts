import {
  absoluteUrl,
  boundedMessage,
  createFeedDecoder,
  namedEncoding,
  escapeAttribute,
  escapeText,
  fieldsOfPayload,
  htmlOfText,
  isHttp,
  isRepublishable,
  isUrl,
  parseUrl,
  payloadFromFields,
  plainTexts,
  publishedDate,
  quote,
  readDate,
  readOutlineDocument,
  readPayload,
  recognizeDocument,
  resolveBase,
  textOfHtml,
} from '#xml';
import {
  explainFeedUrl,
  parseCursor,
  parseGrant,
  pathSegment,
  suggestFeedUrl,
  textOfPathSegment,
} from '#contracts';
import {
  comparableUrl,
  finish,
  hostOf,
  isSealedKey,
  openKey,
  originOf,
  parseAccessKey,
  parseCredentialKeys,
  withoutUserInfo,
} from '#core';
import { mendFeed, pageBytes, pageFeeds } from '#plain-feeds';
import { isDateTime, isNamespaceSpecificString, parseCount } from '#feedsync';
import { isKey, parseVersion } from '#sse';
import { protocolOfDocument } from '#protocols';
import { parseRedisUrl } from '#queue';
import { codingOf } from '../../../libs/http-fetch/src/content-coding.ts';
import { freshnessOf, retryAfterOf } from '../../../libs/http-fetch/src/freshness.ts';
import { fieldOf, joinedFieldOf, listOf } from '../../../libs/http-fetch/src/header.ts';
import { parseHttpDate } from '../../../libs/http-fetch/src/http-date.ts';
import { redirectedTarget, targetOf } from '../../../libs/http-fetch/src/target.ts';
import { feedEndpoint } from '../../../libs/feedsync/src/adoption/feed-endpoint.ts';
import { withSameAddresses } from '../../../libs/feedsync/src/adoption/same-address.ts';
import { fileNameOf, safeFileName } from '../../../libs/items/src/tree/file-name.ts';
import { parsePlaces } from '../../../apps/gateway/src/changes/all-cursor.ts';
import { changesAfter } from '../../../apps/gateway/src/changes/cursor.ts';
import { secretIn } from '../../../apps/gateway/src/access/read-credentials.ts';
import { secretAddressIn } from '../../../apps/gateway/src/access/secret-address.ts';
import { grantsIn } from '../../../apps/gateway/src/access/token-grants.ts';
import { TrustedProxies } from '../../../apps/gateway/src/access/trusted-proxies.ts';
import { crossOriginReasons } from '../../../apps/gateway/src/browsers/cross-origin.ts';
import { knownHosts } from '../../../apps/gateway/src/browsers/host-names.ts';
import { byteRange } from '../../../apps/gateway/src/files/byte-range.ts';
import { checkSignature } from '../../../apps/gateway/src/hubs/signature.ts';
import { readHubMessage } from '../../../apps/gateway/src/hubs/verification.ts';
import { jsonFault } from '../../../apps/gateway/src/requests/json-limits.ts';
import { expectedRevision, isUnmodified } from '../../../apps/gateway/src/requests/preconditions.ts';
import { requestIdOf } from '../../../apps/gateway/src/requests/request-id.ts';
import { refuseRewrittenPath } from '../../../apps/gateway/src/requests/rewritten-path.ts';
import { isCallback, shownPath } from '../../../apps/gateway/src/requests/shown-path.ts';
import { keptFields } from '../../../apps/fetcher/src/kept-fields.ts';
import {
  forbiddingRule,
  robotsLength,
  robotsRules,
} from '../../../apps/fetcher/src/discovery/robots-rules.ts';
import { parseLinks } from '../../../apps/fetcher/src/hubs/link-header.ts';
import * as options from '../../../apps/cli/src/option-values.ts';
import { readLines } from '../../../apps/cli/src/service/read-lines.ts';
import { readServerSentEvents } from '../../../apps/cli/src/service/server-sent-events.ts';
import { nameOf } from '../../../apps/cli/src/sync/name.ts';
import { placeOf } from '../../../apps/cli/src/sync/place.ts';
import { indented, printable } from '../../../apps/cli/src/terminal/text.ts';
import { timeText } from '../../../apps/cli/src/terminal/time.ts';
import type { GrowthCase } from '../growth-case.ts';
import { textShapes } from '../shapes/texts.ts';

interface TextReader {
  readonly name: string;
  readonly limit: number;
  readonly read: (text: string) => unknown;
}

/** UTF-16 code units of an item, of a URL, of a field of a header that Node or undici takes, of a body. */
const [itemLength, urlLength, fieldLength, bodyLength] = [4_194_304, 8192, 16_384, 4_194_304];
const base = 'http://there.example/feed';
const scope = { namespaces: [] } as const;
const child = (name: string, text: string) => ({
  namespace: 'http://www.w3.org/2005/Atom',
  name,
  xml: `<${name} xmlns="http://www.w3.org/2005/Atom">${escapeText(text)}</${name}>`,
});
const proxies = new TrustedProxies(['10.0.0.0/8'], 'subject');
const reasons = crossOriginReasons('http://here.example');
const hosts = knownHosts({ HOST: '0.0.0.0', PORT: 80, GATEWAY_HOSTS: ['here.example'] });
const io = { stdout: { isTTY: true } } as never;

async function* inPieces(text: string): AsyncGenerator<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  for (let start = 0; start < bytes.length; start += 4096) yield bytes.subarray(start, start + 4096);
}

async function drain(all: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of all);
}

/** Everything that reads a text from outside as a whole. */
export const textReaders: readonly TextReader[] = [
  // Texts in feeds.
  { name: 'readDate', limit: itemLength, read: readDate },
  {
    name: 'publishedDate',
    limit: itemLength,
    read: (text) => publishedDate(`<pubDate>${escapeText(text)}</pubDate>`),
  },
  { name: 'parseUrl', limit: itemLength, read: (text) => parseUrl(text, base) },
  { name: 'isUrl', limit: itemLength, read: (text) => isUrl(text, base) },
  { name: 'isHttp', limit: itemLength, read: isHttp },
  { name: 'absoluteUrl', limit: itemLength, read: (text) => absoluteUrl(text, base) },
  { name: 'resolveBase', limit: itemLength, read: (text) => resolveBase(base, text) },
  { name: 'escapeText', limit: itemLength, read: escapeText },
  { name: 'escapeAttribute', limit: itemLength, read: escapeAttribute },
  { name: 'htmlOfText', limit: itemLength, read: htmlOfText },
  { name: 'boundedMessage', limit: itemLength, read: boundedMessage },
  { name: 'isRepublishable', limit: 65_536, read: isRepublishable },
  { name: 'readPayload', limit: bodyLength, read: (text) => readPayload(text) },
  {
    name: 'readPayload of an entry',
    limit: bodyLength,
    read: (text) => readPayload(`<entry xmlns="http://www.w3.org/2005/Atom"><title>${text}`),
  },
  {
    name: 'payloadFromFields',
    limit: bodyLength,
    read: (text) => payloadFromFields('atom', { payload: text }),
  },
  {
    name: 'payloadFromFields of XHTML',
    limit: bodyLength,
    read: (text) => payloadFromFields('atom', { content: text, contentType: 'xhtml' }),
  },
  {
    name: 'fieldsOfPayload',
    limit: itemLength,
    read: (text) =>
      fieldsOfPayload({ format: 'atom', scope, children: [child('title', text), child('link', text)] }),
  },
  {
    name: 'plainTexts',
    limit: itemLength,
    read: (text) => plainTexts({ format: 'atom', scope, children: [child('title', text)] }),
  },
  { name: 'textOfHtml', limit: itemLength, read: (text) => textOfHtml(text) },
  { name: 'recognizeDocument', limit: 4096, read: (text) => recognizeDocument(Buffer.from(text)) },
  { name: 'protocolOfDocument', limit: 4096, read: protocolOfDocument },
  { name: 'createFeedDecoder', limit: fieldLength, read: (text) => createFeedDecoder(text) },
  {
    name: 'createFeedDecoder of a declaration',
    limit: bodyLength,
    read: (text) => createFeedDecoder().write(Buffer.from(`<?xml version="1.0" ${text}`)),
  },
  {
    name: 'namedEncoding',
    limit: bodyLength,
    read: (text) => namedEncoding(Buffer.from(`<?xml version="1.0" ${text}`), text.slice(0, fieldLength)),
  },
  { name: 'isNamespaceSpecificString', limit: itemLength, read: isNamespaceSpecificString },
  { name: 'isDateTime', limit: itemLength, read: isDateTime },
  { name: 'parseCount', limit: itemLength, read: parseCount },
  { name: 'parseVersion', limit: itemLength, read: parseVersion },
  { name: 'isKey', limit: itemLength, read: isKey },
  { name: 'withSameAddresses', limit: itemLength, read: withSameAddresses },
  { name: 'feedEndpoint', limit: urlLength, read: feedEndpoint },
  { name: 'safeFileName', limit: urlLength, read: safeFileName },
  { name: 'fileNameOf', limit: urlLength, read: (text) => fileNameOf(`http://a/${text}`) },
  // Header fields of responses.
  { name: 'parseLinks', limit: fieldLength, read: (text) => parseLinks(text, base) },
  {
    name: 'freshnessOf',
    limit: fieldLength,
    read: (text) => freshnessOf({ 'cache-control': text, expires: text, age: text, date: text }, 0),
  },
  {
    name: 'retryAfterOf',
    limit: fieldLength,
    read: (text) => retryAfterOf({ 'retry-after': text, date: text }, 0),
  },
  { name: 'parseHttpDate', limit: fieldLength, read: (text) => parseHttpDate(text, 0) },
  { name: 'codingOf', limit: fieldLength, read: (text) => codingOf(listOf({ field: text }, 'field')) },
  {
    name: 'fieldOf',
    limit: fieldLength,
    read: (text) => [fieldOf({ field: text }, 'field'), joinedFieldOf({ field: [text, text] }, 'field')],
  },
  {
    name: 'keptFields',
    limit: fieldLength,
    read: (text) => keptFields({ etag: text, lastModified: text, contentType: text }),
  },
  { name: 'redirectedTarget', limit: fieldLength, read: (text) => redirectedTarget(targetOf(base), text) },
  { name: 'targetOf', limit: urlLength, read: (text) => targetOf(`http://${text}`) },
  { name: 'robotsRules', limit: robotsLength, read: (text) => finish(robotsRules(text, 'Feedmesh')) },
  {
    name: 'forbiddingRule',
    limit: robotsLength,
    read: (text) => {
      const rules = finish(robotsRules(`User-agent: *\nDisallow: ${text}`, 'Feedmesh'));
      return finish(forbiddingRule(rules, `http://a/${'a'.repeat(8000)}`));
    },
  },
  // Addresses in requests and settings.
  { name: 'explainFeedUrl', limit: bodyLength, read: explainFeedUrl },
  { name: 'suggestFeedUrl', limit: bodyLength, read: suggestFeedUrl },
  { name: 'comparableUrl', limit: urlLength, read: comparableUrl },
  { name: 'withoutUserInfo', limit: urlLength, read: (text) => withoutUserInfo(`http://${text}`) },
  { name: 'hostOf', limit: urlLength, read: (text) => hostOf(`http://${text}`) },
  { name: 'originOf', limit: urlLength, read: (text) => originOf(`http://${text}`) },
  { name: 'parseRedisUrl', limit: urlLength, read: (text) => parseRedisUrl(`redis+sentinel://${text}`) },
  // Requests.
  { name: 'parsePlaces', limit: fieldLength, read: (text) => parsePlaces(`all~${text}`) },
  { name: 'parseCursor', limit: fieldLength, read: parseCursor },
  { name: 'parseGrant', limit: fieldLength, read: parseGrant },
  { name: 'grantsIn', limit: fieldLength, read: grantsIn },
  { name: 'pathSegment', limit: itemLength, read: pathSegment },
  { name: 'textOfPathSegment', limit: fieldLength, read: textOfPathSegment },
  { name: 'parseAccessKey', limit: fieldLength, read: parseAccessKey },
  {
    name: 'isSealedKey',
    limit: bodyLength,
    read: (text) => isSealedKey(text) && openKey([Buffer.alloc(32)], 'command', text),
  },
  { name: 'parseCredentialKeys', limit: fieldLength, read: parseCredentialKeys },
  { name: 'secretIn', limit: fieldLength, read: (text) => [secretIn(text), secretIn(`Basic ${text}`)] },
  { name: 'secretAddressIn', limit: fieldLength, read: secretAddressIn },
  {
    name: 'addressOf',
    limit: fieldLength,
    read: (text) =>
      proxies.addressOf({
        headers: { 'x-forwarded-for': text },
        socket: { remoteAddress: '10.0.0.1' },
      } as never),
  },
  {
    name: 'crossOriginReasons',
    limit: fieldLength,
    read: (text) => reasons({ method: 'POST', headers: { origin: `http://${text}`, host: text } }),
  },
  { name: 'knownHosts', limit: fieldLength, read: hosts },
  {
    name: 'byteRange',
    limit: fieldLength,
    read: (text) => [byteRange(text, 100), byteRange(`bytes=${text}`, 100)],
  },
  { name: 'checkSignature', limit: fieldLength, read: (text) => checkSignature(`sha256=${text}`, 'secret') },
  {
    name: 'readHubMessage',
    limit: fieldLength,
    read: (text) =>
      readHubMessage(new URLSearchParams(`hub.mode=denied&hub.topic=a&hub.reason=${text}&${text}`)),
  },
  {
    name: 'jsonFault',
    limit: bodyLength,
    read: (text) => jsonFault(Buffer.from(text), { depth: 64, values: 50_000 }),
  },
  { name: 'expectedRevision', limit: fieldLength, read: expectedRevision },
  {
    name: 'isUnmodified',
    limit: fieldLength,
    read: (text) => isUnmodified({ headers: { 'if-none-match': text } }, '"1"'),
  },
  {
    name: 'requestIdOf',
    limit: fieldLength,
    read: (text) => requestIdOf({ headers: { 'x-request-id': text } }),
  },
  {
    name: 'refuseRewrittenPath',
    limit: fieldLength,
    read: (text) => refuseRewrittenPath({ method: 'POST', path: text } as never, {} as never, () => {}),
  },
  { name: 'changesAfter', limit: fieldLength, read: changesAfter },
  { name: 'shownPath', limit: fieldLength, read: (text) => [shownPath(text), isCallback(text)] },
  // The command line.
  ...Object.entries(options).map(([name, read]) => ({
    name,
    limit: 131_072,
    read: (text: string) => read(text),
  })),
  { name: 'readLines', limit: bodyLength, read: (text) => drain(readLines(inPieces(text))) },
  {
    name: 'readServerSentEvents',
    limit: bodyLength,
    read: (text) => drain(readServerSentEvents(inPieces(text))),
  },
  { name: 'nameOf', limit: urlLength, read: nameOf },
  { name: 'placeOf', limit: urlLength, read: (text) => placeOf(`http://a/${text}`, 'http://a/') },
  { name: 'printable', limit: bodyLength, read: printable },
  { name: 'indented', limit: bodyLength, read: indented },
  { name: 'timeText', limit: bodyLength, read: (text) => timeText(io, text) },
  {
    name: 'pageFeeds',
    limit: pageBytes,
    read: (text) => finish(pageFeeds({ bytes: Buffer.from(text), url: base })),
  },
  {
    name: 'readOutlineDocument',
    limit: bodyLength,
    read: (text) => finish(readOutlineDocument(`<opml><body>${text}`)),
  },
  { name: 'quote', limit: itemLength, read: quote },
  {
    name: 'mendFeed',
    limit: 16_777_216,
    read: (text) =>
      mendFeed(Buffer.from(text), {
        url: base,
        itemLength,
        synchronisation: [],
        error: new Error('broken') as never,
      }),
  },
];

/** How long a text is in the short form: one that tries again at each place takes long with it already. */
const shortText = 16_384;

/** Those that read a text in pieces, which are slow only with many of them. */
const longReaders: ReadonlySet<string> = new Set(['readLines', 'readServerSentEvents']);

/** What is measured together with another one. */
const further: ReadonlyMap<string, readonly string[]> = new Map([
  ['shownPath', ['isCallback']],
  ['isSealedKey', ['openKey']],
  ['codingOf', ['listOf']],
  ['fieldOf', ['joinedFieldOf']],
]);

/** Each reader of a text, with each shape of one. */
export const textCases: readonly GrowthCase[] = textReaders.flatMap(({ name, limit, read }) =>
  textShapes.map((shape) => ({
    name: `${name}: ${shape.name}`,
    covers: [name.replace(/ of .*/, ''), ...(further.get(name) ?? [])],
    limit,
    from: 1024,
    shortLimit: longReaders.has(name) ? limit : shortText,
    prepare: (size) => {
      const text = shape.text(size);
      return [[name, () => read(text)]];
    },
  })),
);
