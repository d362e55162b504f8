export { boundedMessage, rulesOf } from './violation.ts';
export type { Violation, Rule } from './violation.ts';
export { beginningText, createFeedDecoder, namedEncoding } from './decoder.ts';
export type { FeedDecoder } from './decoder.ts';
export { DocumentBeginning } from './document-beginning.ts';
export { recognizeDocument } from './document-kind.ts';
export type { DocumentKind } from './document-kind.ts';
export { FeedError } from './feed-error.ts';
export type { FeedHead, Related, Sharing } from './feed.ts';
export { describeFeed, writeFeedEnd, writeFeedStart } from './feed-writing.ts';
export type { FeedDescription } from './feed-description.ts';
export { fieldsOfPayload, payloadFromFields, payloadFromFieldsSteps } from './fields.ts';
export type { ItemFields } from './fields.ts';
export { FormatExamination } from './format-rules/format-examination.ts';
export { formatRules } from './format-rules/rules.ts';
export type { HeadPlaces } from './head-parts.ts';
export { foreignMarkup, isRepublishable } from './foreign-markup.ts';
export { convertPayload } from './format-mapping.ts';
export type { Fragment, Place, Refusal } from './fragment.ts';
export { openOutline, outlineEnd } from './opml/outline-nesting.ts';
export type { OutlineDocument, OutlineNode } from './opml/outline-document.ts';
export { readOutlineDocument } from './opml/outline-reading.ts';
export { writeOutlineDocument } from './opml/outline-writing.ts';
export type { Child, FeedFormat, Format, Payload, Scope } from './payload.ts';
export { dateInPayload } from './payload-date.ts';
export { readPayload, readPayloadSteps } from './payload-reading.ts';
export { textOfHtml } from './html-text.ts';
export { plainTexts } from './plain-texts.ts';
export type { PublisherData } from './publisher.ts';
export { hasRelativeReferences, withBase } from './relative-base.ts';
export { absoluteUrl, isHttp } from './reader/absolute-url.ts';
export type { ReaderEntry, ReaderFeedDescription } from './reader/reader-entry.ts';
export { readReaderItem } from './reader/reader-item.ts';
export type { ReaderItem } from './reader/reader-item.ts';
export { isVoidElement } from './html-text.ts';
export { childElements } from './child-elements.ts';
export { authorsOf } from './item-authors.ts';
export { describeItem } from './item-description.ts';
export type { ItemDescription } from './item-description.ts';
export { mediaElements, mediaNamespace } from './item-media.ts';
export type { Enclosure } from './item-media.ts';
export { writeReaderEntry, writeReaderFeedEnd, writeReaderFeedStart } from './reader/reader-writing.ts';
export { defaultScanLimits } from './scan-limits.ts';
export type { ScanLimits } from './scan-limits.ts';
export { FeedScanner } from './scanner.ts';
export { adoptedSharedElements, defaultSharedElements, sharedPayload } from './shared-data.ts';
export { writeAttribute, writeAttributes } from './attribute-writing.ts';
export { resolveBase } from './base.ts';
export { readDate } from './date.ts';
export { publishedDate } from './item-date.ts';
export { defaultNamespaceOf } from './default-namespace.ts';
export { feedDocuments, plainDialect } from './dialect.ts';
export type { Dialect } from './dialect.ts';
export { escapeAttribute, escapeText, htmlOfText } from './escape.ts';
export { readForeign } from './foreign-reading.ts';
export { positionInFeed } from './fragment.ts';
export { selfLink } from './head-writing.ts';
export { readMarkup } from './markup.ts';
export type { Markup } from './markup.ts';
export { ItemLength } from './item-length.ts';
export { defaultItemLimits } from './item-limits.ts';
export type { ItemLimits, ReadingContext } from './item-limits.ts';
export {
  atomNamespace,
  contentNamespace,
  dublinCoreNamespace,
  dublinCoreTermsNamespace,
  formatNamespace,
  itemName,
  podcastNamespace,
  xhtmlNamespace,
} from './namespace.ts';
export { neededScope, usedBindings } from './needed-scope.ts';
export { payloadOf } from './payload-reading.ts';
export { publish } from './publisher.ts';
export { rfc822Date } from './rfc822-date.ts';
export { checkAttributes, checkElements, holdsMarkup } from './rule-markup.ts';
export type { Vocabulary } from './rule-markup.ts';
export { readOnlySharing } from './sharing-reading.ts';
export { placeScope } from './scope-writing.ts';
export type { Bindings } from './scope-writing.ts';
export { declareOn, rawAttributes, writeDeclaration } from './start-tag.ts';
export { neededBindings } from './text-construct.ts';
export { readAttributes, readContent, textOf } from './text-content.ts';
export { finish } from './steps.ts';
export type { Steps } from './steps.ts';
export { attributesOf, isSyncOf, itemFormat, readTree, scopeOf, treeSteps, versionLimits } from './tree.ts';
export type { TreeLimits, XmlElement } from './tree.ts';
export { isUrl, parseUrl } from './url.ts';
export { ViolationList, quote } from './violation-list.ts';
export { notAnItem, rejectBroken } from './parse-result.ts';
export type { ParseResult } from './parse-result.ts';
