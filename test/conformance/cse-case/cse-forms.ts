import { feedsyncForms } from '../feedsync-forms.ts';
import type { CaseForm } from '../check-case.ts';
import type { CseOperation } from './cse-operation.ts';

/** What a case of Content Sync Extensions may hold. */
export const cseForms: Readonly<Record<CseOperation['operation'], CaseForm>> = {
  read: { properties: 'url expected', documents: 'input.xml' },
  validate: feedsyncForms.validate,
  plan: { properties: 'expected', documents: 'cached.xml? fetched.xml' },
  sync: {
    properties: 'limits',
    rounds: 'gone failing lost interruptedAfter expected',
    documents: 'N/*?',
  },
  publish: {
    steps: 'at feeds edits removeFeeds unpublished publishedUntil shown',
    documents: 'expected/N/*?',
  },
  mirror: {
    properties: 'settings',
    rounds: 'at ask gone failing expected',
    documents: 'N/*? expected/N/*?',
  },
};
