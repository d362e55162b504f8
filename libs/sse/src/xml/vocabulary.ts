import type { SseRuleName } from './rule.ts';
import { sseNamespaces } from './namespace.ts';
import type { Vocabulary } from '#xml';

/** SSE 2.1 to 2.5, 5.1, 5.2. */
export const sseVocabulary: Vocabulary<SseRuleName> = {
  specification: 'SSE 0.91',
  namespaces: Object.values(sseNamespaces),
  places: new Map([
    ['sharing', { rule: 'sse-sharing-place', place: 'in an RSS channel or an OPML head' }],
    ['related', { rule: 'sse-related-place', place: 'in sx:sharing' }],
    ['sync', { rule: 'sse-sync-place', place: 'in an RSS item or an OPML outline' }],
    ['history', { rule: 'sse-history-place', place: 'in sx:sync' }],
    ['update', { rule: 'sse-update-place', place: 'in sx:history' }],
    ['conflicts', { rule: 'sse-conflicts-place', place: 'in sx:sync' }],
    ['conflict', { rule: 'sse-conflict-place', place: 'in sx:conflicts' }],
  ]),
  unknownElement: 'sse-element-unknown',
  unknownAttribute: 'sse-attribute-unknown',
};
