import type { ItemAnswer } from '../service/answers.ts';
import { ProblemError } from '../service/service-error.ts';
import { ifMatchHeader } from '../service/service.ts';
import type { Service } from '../service/service.ts';
import type { TreeItemAnswer } from '../service/tree-answers.ts';
import { applyPatch } from './merge-patch.ts';
import type { MergePatch } from './merge-patch.ts';

export type AnyItem = ItemAnswer | TreeItemAnswer;

/** The fields of an item's content, which PUT replaces as a whole. */
const contentFields = [
  'title',
  'titleType',
  'content',
  'contentType',
  'summary',
  'summaryType',
  'link',
  'categories',
  'rights',
  'rightsType',
  'base',
  'language',
  'attributes',
  'payload',
];

/** How often an item is read again if others change it at the same time. */
const attempts = 10;

/**
 * Changes what a merge patch names of an item, and leaves the rest. Without a revision the change is made to
 * whatever the item has become: if another change comes in between, it is made again.
 * @param path of the item; `action` what follows it, such as `/undelete`
 * @throws ProblemError 412 if the item has another revision than the expected one; and as `Service` does
 */
export async function patchItem(
  service: Service,
  path: string,
  patch: MergePatch,
  expected?: number,
  { method = 'PUT', action = '' } = {},
): Promise<AnyItem> {
  for (let attempt = 1; ; attempt += 1) {
    const item = await service.json<AnyItem>(path);
    const content = Object.fromEntries(Object.entries(item).filter(([name]) => contentFields.includes(name)));
    const headers = ifMatchHeader(expected ?? item.revision);
    try {
      return await service.json<AnyItem>(path + action, {
        method,
        headers,
        body: changedItem(content, patch),
      });
    } catch (error) {
      const isLostRace = error instanceof ProblemError && error.status === 412 && expected === undefined;
      if (!isLostRace || attempt === attempts) throw error;
    }
  }
}

/** Places are sent as they are wanted; a patch of them alone leaves the content out. */
function changedItem(content: Readonly<Record<string, unknown>>, patch: MergePatch): Record<string, unknown> {
  const { parent, ...fields } = patch;
  const changesContent = Object.keys(fields).some((name) => contentFields.includes(name));
  return { ...applyPatch(changesContent ? content : {}, fields), ...(parent !== undefined && { parent }) };
}
