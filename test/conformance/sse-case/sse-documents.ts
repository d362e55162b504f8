import { readSseItem, sseDialect } from '#sse';
import type { Payload } from '#xml';
import type { Item } from '#sse';
import { DocumentReader } from '../document-reader.ts';
import type { CaseDocument } from '../document-reader.ts';

export type SseDocument = CaseDocument<Item<Payload>>;

/** The feeds and outlines of the cases of SSE. */
export const sseDocuments = new DocumentReader(sseDialect, (fragment) => readSseItem(fragment));
