import type { CaseForm } from './check-case.ts';
import type { Operation } from './conformance-case.ts';

const edited = 'local.xml data.xml? expected.xml';

/** What a case of FeedSync may hold. */
export const feedsyncForms: Readonly<Record<Operation['operation'], CaseForm>> = {
  read: { properties: 'expected', documents: 'input.xml expected.xml' },
  validate: { properties: 'expected', documents: 'input.xml' },
  create: {
    properties: 'id when by noconflicts deleted error',
    documents: 'data.xml expected.xml',
  },
  update: { properties: 'id when by error', documents: 'local.xml data.xml expected.xml' },
  delete: { properties: 'id when by removeData error', documents: 'local.xml expected.xml' },
  undelete: { properties: 'id when by error', documents: edited },
  resolve: { properties: 'id when by keep conflicts error', documents: edited },
  'clean-up': { properties: 'id', documents: 'local.xml expected.xml' },
  merge: { documents: 'local.xml incoming.xml incoming-N.xml? expected.xml' },
  subscribe: { steps: 'publisher feed complete edits expected', documents: '*.xml? expected.xml?' },
  publish: {
    properties: 'settings',
    steps: 'pass create update delete purge expected',
    documents: '',
  },
  incorporate: {
    properties: 'format publish settings expected',
    documents: 'local.xml? incoming.xml expected.xml',
  },
};
