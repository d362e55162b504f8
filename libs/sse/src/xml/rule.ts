import { rulesOf } from '#xml';
import type { Rule } from '#xml';

const { error, warning } = rulesOf('SSE');

/**
 * Every rule of SSE 0.91 whose violation can be seen in a document. A date that breaks a `-format` rule can't
 * be read; one that breaks a `-syntax` rule is read all the same.
 */
export const sseRules = {
  'sse-element-unknown': warning('1.1'),
  'sse-attribute-unknown': warning('1.1'),
  'sse-sharing-place': warning('2.1'),
  'sse-sharing-multiple': warning('2.1'),
  'sse-sharing-version-required': warning('2.1'),
  'sse-sharing-since-format': warning('2.1'),
  'sse-sharing-until-format': warning('2.1'),
  'sse-sharing-since-after-until': warning('2.1'),
  'sse-sharing-window-format': warning('2.1'),
  'sse-related-place': warning('2.2'),
  'sse-related-link-required': warning('2.2'),
  'sse-related-link-absolute': warning('2.2'),
  'sse-related-type-required': warning('2.2'),
  'sse-related-type-value': warning('2.2'),
  'sse-related-since-format': warning('2.2'),
  'sse-related-until-format': warning('2.2'),
  'sse-sync-place': warning('2.3'),
  'sse-sync-multiple': error('2.3'),
  'sse-sync-id-required': error('2.3'),
  'sse-sync-id-empty': error('2.3'),
  'sse-sync-id-length': error('2.3'),
  'sse-sync-id-syntax': warning('2.3'),
  'sse-sync-id-unique': warning('2.3'),
  'sse-sync-version-required': error('2.3'),
  'sse-sync-version-range': error('2.3'),
  'sse-sync-deleted-value': error('2.3'),
  'sse-sync-conflict-value': error('2.3'),
  'sse-position-format': warning('3.2'),
  'sse-history-place': warning('2.4'),
  'sse-history-required': error('2.4'),
  'sse-history-multiple': error('2.4'),
  'sse-history-when-or-by': error('2.4'),
  'sse-history-when-format': error('2.4'),
  'sse-history-when-syntax': warning('2.4'),
  'sse-history-by-length': error('2.4'),
  'sse-history-by-syntax': warning('2.4'),
  'sse-update-place': warning('2.5'),
  'sse-update-when-or-by': error('2.5'),
  'sse-update-when-format': error('2.5'),
  'sse-update-when-syntax': warning('2.5'),
  'sse-update-by-length': error('2.5'),
  'sse-update-by-syntax': warning('2.5'),
  'sse-conflicts-place': warning('5.1'),
  'sse-conflicts-multiple': warning('5.1'),
  'sse-conflicts-empty': warning('5.1'),
  'sse-conflict-place': warning('5.2'),
  'sse-conflict-version-required': error('5.2'),
  'sse-conflict-version-range': error('5.2'),
  'sse-conflict-when-or-by': error('5.2'),
  'sse-conflict-when-format': error('5.2'),
  'sse-conflict-when-syntax': warning('5.2'),
  'sse-conflict-by-length': error('5.2'),
  'sse-conflict-by-syntax': warning('5.2'),
  'sse-conflict-by-unique': warning('5.2'),
  'sse-conflict-item': warning('5.2'),
  'sse-conflict-nested': warning('5.2'),
} as const satisfies Record<string, Rule>;

/** The name of a rule, such as `sse-sync-id-empty`. */
export type SseRuleName = keyof typeof sseRules;
