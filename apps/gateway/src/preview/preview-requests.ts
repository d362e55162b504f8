import type { PreviewReply, PreviewView } from '#contracts';
import type { Clock, JobQueue, Random, Replies } from '#core';
import { ProblemError } from '../problems/problem-error.ts';

/** How many seconds a preview may take, and after how many a client may try again. */
const previewSeconds = 25;
const retryAfter = 5;

/** How many a gateway waits for at the same time, and how many of those for one tenant. */
const atOnce = 16;
const atOnceOfTenant = 4;

interface PreviewPorts {
  readonly queue: Pick<JobQueue, 'send'>;
  readonly replies: Pick<Replies, 'wait'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly random: Pick<Random, 'identifier'>;
}

/** Has fetchers preview feeds, and waits for what they reply. */
export class PreviewRequests {
  readonly #ports: PreviewPorts;
  /** Whom each of those in progress is for. */
  readonly #waiting = new Map<string, string | undefined>();

  constructor(ports: PreviewPorts) {
    this.#ports = ports;
  }

  /**
   * Previews a feed.
   * @param tenant whose fetches it counts as
   * @throws ProblemError 422 `preview-failed` with what the fetch says, 503 `preview-unavailable` with
   *   `Retry-After` if there was no fetch
   */
  async preview(
    { url, limit }: { readonly url: string; readonly limit: number },
    tenant: string | undefined,
  ): Promise<PreviewView> {
    const { queue, replies, clock, random } = this.#ports;
    const reply = random.identifier();
    this.#begin(reply, tenant);
    try {
      const until = new Date(clock.now().getTime() + previewSeconds * 1000).toISOString();
      const data = { version: 1, reply, until, url, limit, ...(tenant !== undefined && { tenant }) } as const;
      await queue.send([{ queue: 'preview', data }]);
      return previewIn((await replies.wait(reply, previewSeconds * 1000)) as PreviewReply | undefined);
    } catch (error) {
      if (error instanceof ProblemError) throw error;
      throw unavailable('Redis is not available.', error);
    } finally {
      this.#waiting.delete(reply);
    }
  }

  #begin(reply: string, tenant: string | undefined): void {
    const own = [...this.#waiting.values()].filter((one) => one === tenant).length;
    if (this.#waiting.size >= atOnce) throw unavailable(`This gateway prepares ${atOnce} previews at once.`);
    if (tenant !== undefined && own >= atOnceOfTenant)
      throw unavailable(
        `This gateway prepares ${atOnceOfTenant} previews at once for the tenant "${tenant}".`,
      );
    this.#waiting.set(reply, tenant);
  }
}

function previewIn(reply: PreviewReply | undefined): PreviewView {
  if (reply === undefined) throw unavailable(`No fetcher replied within ${previewSeconds} seconds.`);
  if ('preview' in reply) return reply.preview;
  const { rule, cause, reason, isTemporary } = reply.failure;
  if (isTemporary) throw unavailable(`${reason}.`);
  throw new ProblemError(422, 'preview-failed', reason, { cause, fetchRule: rule });
}

function unavailable(reason: string, cause?: unknown): ProblemError {
  const detail = `${reason} Try again in ${retryAfter} seconds.`;
  const headers = { 'Retry-After': String(retryAfter) };
  return Object.assign(new ProblemError(503, 'preview-unavailable', detail, {}, headers), { cause });
}
