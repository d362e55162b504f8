import { rulesOf } from '#xml';
import type { Rule } from '#xml';

const { error, warning } = rulesOf('FeedSync');

/**
 * Every rule of FeedSync 1.0.2 and its Implementation Notes whose violation can be seen in a document. The
 * names stay the same over versions.
 */
export const feedsyncRules = {
  'history-by-syntax': warning('2.1.1'),
  'sync-id-empty': error('2.1.2'),
  'history-by-empty': error('2.1.2'),
  'sharing-attribute-empty': warning('2.1.2'),
  'related-attribute-empty': warning('2.1.2'),
  'sync-id-length': error('2.1.3'),
  'history-by-length': error('2.1.3'),
  'history-when-format': error('2.1.5'),
  'sharing-expires-format': warning('2.1.5'),
  'history-by-markup': warning('2.1.6'),
  'related-title-markup': warning('2.1.6'),
  'element-unknown': warning('2.1.7'),
  'attribute-unknown': warning('2.1.7'),
  'sharing-place': warning('2.2'),
  'sharing-multiple': warning('2.2'),
  'sharing-since-until': warning('2.2'),
  'sharing-since-after-until': warning('2.2'),
  'related-place': warning('2.3'),
  'related-link-required': warning('2.3'),
  'related-link-absolute': warning('2.3'),
  'related-link-syntax': warning('2.3'),
  'related-type-required': warning('2.3'),
  'related-type-value': warning('2.3'),
  'sync-place': warning('2.4'),
  'sync-multiple': error('2.4'),
  'sync-id-required': error('2.4'),
  'sync-id-syntax': warning('2.4'),
  'sync-id-unique': warning('2.4'),
  'sync-updates-required': error('2.4'),
  'sync-updates-range': error('2.4'),
  'sync-deleted-value': error('2.4'),
  'sync-noconflicts-value': error('2.4'),
  'sync-noconflicts-conflicts': warning('2.4'),
  'conflict-noconflicts': warning('2.4'),
  'history-place': warning('2.5'),
  'sync-history-required': error('2.5'),
  'history-sequence-required': error('2.5'),
  'history-sequence-range': error('2.5'),
  'history-when-or-by': error('2.5'),
  'history-order': warning('2.5'),
  'conflicts-place': warning('2.6'),
  'conflicts-multiple': warning('2.6'),
  'conflicts-child': warning('2.6'),
  'conflicts-nested': warning('3.3'),
  'conflict-sync-required': error('2.6'),
  'conflict-id': error('2.6'),
  'repeated-item-conflict': warning('Implementation Notes, Note 2'),
} as const satisfies Record<string, Rule>;

/** The name of a rule, such as `sync-updates-range`. */
export type RuleName = keyof typeof feedsyncRules;
