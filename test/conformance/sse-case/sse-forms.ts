import { feedsyncForms } from '../feedsync-forms.ts';
import type { CaseForm } from '../check-case.ts';
import type { SseOperation } from './sse-operation.ts';

const editor = 'id when by updatesKept ordered error';
const edited = 'local.xml data.xml? expected.xml';

/** What a case of SSE may hold. */
export const sseForms: Readonly<Record<SseOperation['operation'], CaseForm>> = {
  read: { properties: 'ordered expected', documents: 'input.xml expected.xml' },
  validate: feedsyncForms.validate,
  create: {
    properties: `${editor} deleted parent index`,
    documents: 'local.xml? data.xml expected.xml',
  },
  update: { properties: editor, documents: edited },
  delete: { properties: editor, documents: edited },
  undelete: { properties: editor, documents: edited },
  move: { properties: `${editor} parent index`, documents: edited },
  resolve: { properties: `${editor} keep`, documents: edited },
  merge: { ...feedsyncForms.merge, properties: 'ordered' },
  'detect-cycles': { properties: 'ordered parents', documents: 'local.xml expected.xml' },
  subscribe: { ...feedsyncForms.subscribe, properties: 'format ordered' },
  publish: {
    properties: 'format settings',
    steps: 'pass create update delete together purge expected',
    documents: '',
  },
};
