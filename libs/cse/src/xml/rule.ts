import { rulesOf } from '#xml';
import type { Rule } from '#xml';

const { error, warning } = rulesOf('CSE');

/**
 * Every rule of Content Sync Extensions whose violation can be seen in a document, by the heading it stands
 * under. The specification has no numbers. A link that breaks an `error` rule is left out; its item stays.
 */
export const cseRules = {
  'cse-element-unknown': warning('Namespaces and Version'),
  'cse-attribute-unknown': warning('Namespaces and Version'),
  'cse-link-empty': error('csx:link'),
  'cse-link-url': error('csx:link'),
  'cse-link-elements': warning('csx:link'),
  'cse-nested-feed-value': warning('nestedFeed attribute'),
  'cse-nested-feed-multiple': error('nestedFeed attribute'),
  'cse-on-demand-value': warning('onDemand attribute'),
  'cse-last-build-date-place': warning('csx:lastBuildDate'),
  'cse-last-build-date-multiple': warning('csx:lastBuildDate'),
  'cse-last-build-date-format': warning('csx:lastBuildDate'),
  'cse-last-build-date-syntax': warning('csx:lastBuildDate'),
  'cse-pub-date-format': warning('csx:lastBuildDate'),
  'cse-pub-date-syntax': warning('csx:lastBuildDate'),
  'cse-guid-required': warning('guid'),
  'cse-guid-unique': warning('guid'),
  'cse-hidden-item-value': warning('csx:hiddenItem'),
  'cse-channel-date': warning('Propagating the lastBuildDate to parent feeds'),
} as const satisfies Record<string, Rule>;

/** The name of a rule, such as `cse-link-url`. */
export type CseRuleName = keyof typeof cseRules;
