import { auditOperations } from './audit-operations.ts';
import { changeOperations } from './change-operations.ts';
import { collectionOperations } from './collection-operations.ts';
import { deadLetterOperations } from './dead-letter-operations.ts';
import { feedOperations } from './feed-operations.ts';
import { fileOperations } from './file-operations.ts';
import { hubOperations } from './hub-operations.ts';
import { indexOperations } from './index-operations.ts';
import { itemOperations } from './item-operations.ts';
import { keyOperations } from './key-operations.ts';
import { outlineOperations } from './outline-operations.ts';
import { previewOperations } from './preview-operations.ts';
import { subscriptionOperations } from './subscription-operations.ts';
import { watchOperations } from './watch-operations.ts';
import { tenantOperations } from './tenant-operations.ts';
import { treeOperations } from './tree-operations.ts';

/** The operations of the HTTP interface, by the name that OpenAPI has for them. */
export const operations = {
  ...indexOperations,
  ...collectionOperations,
  ...itemOperations,
  ...outlineOperations,
  ...subscriptionOperations,
  ...previewOperations,
  ...watchOperations,
  ...changeOperations,
  ...feedOperations,
  ...treeOperations,
  ...fileOperations,
  ...deadLetterOperations,
  ...keyOperations,
  ...hubOperations,
  ...tenantOperations,
  ...auditOperations,
} as const;

export type OperationName = keyof typeof operations;
