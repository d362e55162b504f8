import type { SubscriptionView, TreeItemView, TreeLinkView } from '#contracts';
import { CommandError, exitCode } from '../command-error.ts';
import type { ExitCode } from '../command-error.ts';
import type { Io } from '../io.ts';
import { checkFetched } from '../service/fetch-outcome.ts';
import { followSubscription } from '../service/follow-subscription.ts';
import { linkText } from '../service/link-text.ts';
import { collectionPath, Service } from '../service/service.ts';
import type { ServiceOptions } from '../service/service.ts';
import { Output } from '../terminal/output.ts';
import { printable } from '../terminal/text.ts';

export interface FetchArguments extends ServiceOptions {
  readonly collection: string;
  readonly item: string;
  /** Of the link in its item, from 0, as `item` and `tree` show it. */
  readonly number: number;
  readonly output: 'text' | 'json';
}

/**
 * Asks for what a link of a mirrored tree refers to on demand, waits until it is there or has failed, and
 * prints the link as it then is. Returns `violations` if it could not be fetched.
 * @throws as `Service` does; CommandError if the tree could not be fetched (2), its subscription is
 *   paused (3), or the person does not wait (1)
 */
export async function fetchLink(
  { collection, item, number, output: format, ...options }: FetchArguments,
  io: Io,
): Promise<ExitCode> {
  const service = new Service(options, io);
  const before = await mirrored(service, collection);
  await service.json(collectionPath(collection, 'items', item, 'links', String(number), 'fetch'), {
    method: 'POST',
  });
  const link = await awaitLink(service, { collection, item, number }, before, io);
  const isHere = link.state === 'cached';
  const output = new Output(io.stdout);
  const place = isHere ? `\n  ${printable(link.url)}` : '';
  await output.write(format === 'json' ? `${JSON.stringify(link)}\n` : `${linkText(io, link)}${place}\n`);
  await output.flush();
  return isHere ? exitCode.done : exitCode.violations;
}

/** The subscription of a mirror; undefined of a tree of its own. */
async function mirrored(service: Service, collection: string): Promise<SubscriptionView | undefined> {
  for await (const subscription of service.list<SubscriptionView>(
    collectionPath(collection, 'subscriptions'),
  ))
    return subscription;
  return undefined;
}

/**
 * Waits until the link leads to what is here, or a fetch of the tree has ended that did not leave it waiting.
 */
async function awaitLink(
  service: Service,
  { collection, item, number }: Pick<FetchArguments, 'collection' | 'item' | 'number'>,
  before: SubscriptionView | undefined,
  io: Io,
): Promise<TreeLinkView> {
  if (before === undefined) throw new CommandError(`${collection} is no longer a mirror`, exitCode.refused);
  for await (const { url, isFetching = false, last } of followSubscription(
    service,
    collection,
    before.id,
    io,
  )) {
    const { links } = await service.json<TreeItemView>(collectionPath(collection, 'items', item));
    const link = links[number];
    if (link === undefined)
      throw new CommandError(`the item ${item} no longer has a link ${number}`, exitCode.refused);
    if (link.state === 'cached' && (link.file !== undefined || link.feed !== undefined)) return link;
    if (isFetching || last === undefined || last.at === before.last?.at) continue;
    checkFetched(url, last);
    if (link.state !== 'waiting') return link;
  }
  throw new CommandError('interrupted; the service goes on with the fetch', exitCode.violations);
}
