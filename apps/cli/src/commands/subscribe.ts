import type { Credentials, SubscriptionView } from '#contracts';
import { credentials, explainFeedUrl } from '#contracts';
import { CommandError, exitCode } from '../command-error.ts';
import type { ExitCode } from '../command-error.ts';
import type { Io } from '../io.ts';
import { readInput } from '../read-input.ts';
import { awaitFetch } from '../service/await-fetch.ts';
import { checkFetched, outcomeCode, outcomeText } from '../service/fetch-outcome.ts';
import { findAnswer } from '../service/find-answer.ts';
import { collectionPath, Service } from '../service/service.ts';
import type { Reply, ServiceOptions } from '../service/service.ts';
import { Output } from '../terminal/output.ts';
import { printable } from '../terminal/text.ts';

export interface SubscribeArguments extends ServiceOptions {
  readonly collection: string;
  readonly feed: string;
  /** The subscription's name; the service makes one if it is absent. */
  readonly name?: string;
  /** Seconds between two fetches. */
  readonly interval?: { readonly minimum: number; readonly maximum: number };
  /** Whether items without synchronisation data are adopted, and under which endpoint identifier. */
  readonly adopt?: boolean | 'auto';
  readonly adoptedAs?: string;
  /** Whether the URL may be that of a page that names its feed. */
  readonly discover?: boolean;
  /** What requests send; an empty text removes what was set. */
  readonly userAgent?: string;
  readonly acceptLanguage?: string;
  /** A file with cookies, as `Cookie` has them; `-` for stdin. Not together with credentials. */
  readonly cookie?: string;
  /** A file with credentials, as JSON; `-` for stdin. */
  readonly credentials?: string;
  /** Whether to wait until the feed has been fetched for the first time. */
  readonly wait: boolean;
  readonly output: 'text' | 'json';
}

/**
 * Subscribes a collection to a feed, once; with the name of an existing subscription, changes that one. With
 * `wait`, returns `violations` if some of the feed's content is missing.
 * @throws as `Service` does; CommandError (64) for what is no URL or no credentials; with `wait` if the feed
 *   could not be fetched (2) or the person interrupts the wait (1)
 */
export async function subscribe(
  {
    collection,
    feed,
    name,
    interval,
    adopt,
    adoptedAs,
    discover,
    userAgent,
    acceptLanguage,
    cookie,
    credentials: file,
    wait,
    output: format,
    ...options
  }: SubscribeArguments,
  io: Io,
): Promise<ExitCode> {
  const fault = explainFeedUrl(feed);
  if (fault !== undefined) throw new CommandError(`the URL of the feed: ${fault}`, exitCode.usage);
  const given = await readCredentials({ file, cookie }, io);
  const service = new Service(options, io);
  const output = new Output(io.stdout);
  const former =
    name === undefined
      ? undefined
      : await findAnswer<SubscriptionView>(service, collectionPath(collection, 'subscriptions', name));
  const { status, body: subscription } = await put(service, collection, name, {
    url: feed,
    interval,
    adopt,
    adoptedAs,
    discover,
    userAgent: userAgent === '' ? null : userAgent,
    acceptLanguage: acceptLanguage === '' ? null : acceptLanguage,
    credentials: given,
  });
  const { url, id, last } = subscription;
  const isNew = status === 201 || (former !== undefined && former.url !== url);
  if (format === 'text')
    await output.write(
      `${printable(`${collection} is ${isNew ? '' : 'already '}subscribed to ${url} as ${id}`)}\n`,
    );
  if (!wait) {
    if (format === 'json') await output.write(`${JSON.stringify(subscription)}\n`);
    await output.flush();
    return exitCode.done;
  }
  const isFetchedAnew = last?.outcome === 'gone' || (former !== undefined && former.url !== url);
  const fetched = await awaitFetch(service, collection, id, isFetchedAnew ? last?.at : undefined, io);
  await output.write(format === 'json' ? `${JSON.stringify(fetched)}\n` : `${outcomeText(fetched.last)}\n`);
  await output.flush();
  checkFetched(url, fetched.last);
  return outcomeCode(fetched.last);
}

/** The credentials, or cookies, in a file. No message repeats what it says. */
async function readCredentials(
  { file, cookie }: { readonly file: string | undefined; readonly cookie: string | undefined },
  io: Io,
): Promise<Credentials | null | undefined> {
  const path = file ?? cookie;
  if (path === undefined) return undefined;
  const text = (await readInput(path, io)).toString('utf8');
  const given = file === undefined ? { kind: 'headers', headers: { Cookie: text.trim() } } : parsed(text);
  const read = credentials.nullable().safeParse(given);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  const place = issue?.path.length ? `${issue.path.map(String).join('.')}: ` : '';
  const what = file === undefined ? 'cookies' : 'credentials';
  const from = path === '-' ? 'stdin' : path;
  throw new CommandError(`the ${what} in ${from}: ${place}${issue?.message}`, exitCode.usage);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function put(
  service: Service,
  collection: string,
  name: string | undefined,
  body: object,
): Promise<Reply<SubscriptionView>> {
  return name === undefined
    ? service.reply(collectionPath(collection, 'subscriptions'), { method: 'POST', body })
    : service.reply(collectionPath(collection, 'subscriptions', name), { method: 'PUT', body });
}
