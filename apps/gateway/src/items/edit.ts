import { editItem } from '#items';
import type { Edit } from '#items';
import type { Collection, StoredItem } from '#ports';
import type { GatewayPorts } from '../gateway-ports.ts';
import { checkInput } from '../requests/check-input.ts';
import { itemDeletion, itemResolution, readFields, readItemContent, readNewItem } from './item-body.ts';

/** An edit in the words of the HTTP interface and of the command `edit`. */
export type EditRequest =
  /** `body`: the new item. */
  | { readonly action: 'create'; readonly body: unknown }
  /** `body`: the new content. */
  | { readonly action: 'update'; readonly id: string; readonly body: unknown }
  /** `body`: what becomes of the data, or undefined. */
  | { readonly action: 'delete'; readonly id: string; readonly body: unknown }
  /** `body`: new content, or undefined to keep what there is. */
  | { readonly action: 'undelete'; readonly id: string; readonly body: unknown }
  /** `body`: the resolution. */
  | { readonly action: 'resolve'; readonly id: string; readonly body: unknown };

/**
 * Performs an edit and asks for its publication, without waiting for that.
 * @param expected the revision that the edit was made for, where there is one
 * @returns the item as stored
 * @throws ProblemError 400, FeedError, and what `editItem` throws
 */
export async function edit(ports: GatewayPorts, collection: Collection, request: EditRequest, expected?: number): Promise<StoredItem> {
  const { store, clock, publicUrl, jobs } = ports;
  const [id, decided] = readEdit(ports, collection, request);
  const item = await editItem({ store, publicUrl, now: () => clock.now() }, collection, id, decided, expected);
  jobs.publish(collection.name);
  return item;
}

function readEdit({ chance }: GatewayPorts, collection: Collection, request: EditRequest): [id: string, edit: Edit] {
  const { action } = request;
  if (action === 'create') {
    const { id = `${collection.endpoint}.${chance.identifier()}`, ...created } = readNewItem(collection, request.body);
    return [id, { action, id, ...created }];
  }
  const { id } = request;
  if (action === 'delete') {
    const { data } = checkInput(itemDeletion.prefault({}), 'body', request.body);
    return [id, { action, ...(data && { removeData: data === 'remove' }) }];
  }
  if (action === 'update') return [id, { action, payload: readItemContent(collection, id, request.body) }];
  if (action === 'undelete') return [id, { action, ...(request.body !== undefined && { payload: readItemContent(collection, id, request.body) }) }];
  const { keep, data, conflicts } = checkInput(itemResolution, 'body', request.body);
  return [id, { action, keep, ...(data && { payload: readFields(collection, data) }), ...(conflicts && { conflicts }) }];
}
