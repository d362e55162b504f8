import type { Vocabulary } from '#xml';
import { syncNamespace } from './namespace.ts';
import type { RuleName } from './rule.ts';

/** FeedSync 2.2 to 2.6. */
export const feedsyncVocabulary: Vocabulary<RuleName> = {
  specification: 'FeedSync 1.0.2',
  namespaces: [syncNamespace],
  places: new Map([
    ['sharing', { rule: 'sharing-place', place: 'in an Atom feed or an RSS channel' }],
    ['related', { rule: 'related-place', place: 'in sx:sharing' }],
    ['sync', { rule: 'sync-place', place: 'in an Atom entry or an RSS item' }],
    ['history', { rule: 'history-place', place: 'in sx:sync' }],
    ['conflicts', { rule: 'conflicts-place', place: 'in sx:sync' }],
  ]),
  unknownElement: 'element-unknown',
  unknownAttribute: 'attribute-unknown',
};
