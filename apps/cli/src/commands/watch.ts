import { setTimeout as delay } from 'node:timers/promises';
import type { ChangeEvent, ChangesView, CollectionView } from '#contracts';
import { exitCode } from '../command-error.ts';
import type { ExitCode } from '../command-error.ts';
import type { Io } from '../io.ts';
import { ChangePrinter } from '../service/change-printer.ts';
import { readServerSentEvents } from '../service/server-sent-events.ts';
import { ServiceProblemError } from '../service/service-error.ts';
import { collectionPath, Service } from '../service/service.ts';
import type { ServiceOptions } from '../service/service.ts';
import { causeOf } from '../cause.ts';
import { isBrokenPipe } from '../terminal/output.ts';
import { count, printable } from '../terminal/text.ts';

interface WatchArguments extends ServiceOptions {
  /** All collections if it is absent. */
  readonly collection?: string;
  /**
   * The cursor after which to begin, or `start` for the oldest change that is kept; if absent, only what
   * is new is printed.
   */
  readonly since?: string;
  /** Seconds to wait before a lost connection is taken up again. */
  readonly retry: number;
  readonly output: 'text' | 'json';
}

/**
 * Prints the changes of a collection, or of all, as they come, one a line, until Ctrl-C. A connection that is
 * lost, once there was one, is taken up again after the last change that was printed, so that none is missed
 * and none printed twice.
 * @throws ServiceProblemError if the service refuses, UnreachableError if it can't be reached at first
 */
export async function watch(
  { collection, since, retry, output: format, ...options }: WatchArguments,
  io: Io,
): Promise<ExitCode> {
  const service = new Service(options, io);
  const printer = new ChangePrinter(format, collection === undefined, io);
  const interruption = io.interruption();
  const printed = new Map<string, string>();
  let cursor = since ?? (await presentCursor(service, collection));
  let wasConnected = false;
  while (!interruption.aborted) {
    let reason = 'the service ended it';
    try {
      const body = await openChanges(service, collection, cursor, interruption);
      wasConnected = true;
      for await (const { id, data } of readServerSentEvents(body)) {
        const event = JSON.parse(data) as ChangeEvent;
        const name = event.id.slice(0, event.id.lastIndexOf(':'));
        if (event.sequence > (printed.get(name) ?? '')) await printer.print(event);
        printed.set(name, event.sequence);
        // Of several events of all collections, the last one has the cursor.
        cursor = collection === undefined ? id || cursor : event.sequence;
      }
    } catch (error) {
      if (interruption.aborted) break;
      const isRefusal = error instanceof ServiceProblemError && error.status < 500;
      if (!wasConnected || isRefusal || isBrokenPipe(error)) throw error;
      reason = causeOf(error);
    } finally {
      printer.clear();
    }
    if (interruption.aborted) break;
    io.stderr.write(
      `connection lost: ${printable(reason)}; resuming after ${cursor} in ${count(retry, 'second')}\n`,
    );
    await delay(retry * 1000, undefined, { signal: interruption }).catch(() => undefined);
  }
  await printer.end();
  return exitCode.done;
}

async function presentCursor(service: Service, collection: string | undefined): Promise<string> {
  return collection === undefined
    ? (await service.json<ChangesView>('/v1/changes?since=now')).next
    : (await service.json<CollectionView>(collectionPath(collection))).cursor;
}

async function openChanges(
  service: Service,
  collection: string | undefined,
  since: string,
  signal: AbortSignal,
): Promise<AsyncIterable<Uint8Array>> {
  const query = new URLSearchParams({ mode: 'stream', ...(since !== 'start' && { since }) });
  const path = collection === undefined ? '/v1/changes' : collectionPath(collection, 'changes');
  const response = await service.open(`${path}?${query.toString()}`, {
    headers: { accept: 'text/event-stream' },
    signal,
  });
  return response.body ?? emptyBody();
}

async function* emptyBody(): AsyncGenerator<Uint8Array> {}
