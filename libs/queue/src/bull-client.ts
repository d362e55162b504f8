import type { Command, Job } from '#contracts';
import { ClientProxy } from '@nestjs/microservices';
import type { ReadPacket, WritePacket } from '@nestjs/microservices';
import { checkJob } from './job-check.ts';
import type { WorkQueue } from './job-check.ts';
import { JobDataError, openJobQueue } from './job-queue.ts';
import type { BullQueue, JobQueueOptions } from './job-queue.ts';

/**
 * The sending side as a Nest client: `emit('commands.subscribe', data)` or `emit('publish', data)`, the
 * patterns that `BullServer` has handlers for. The observable errors with `JobDataError` where the data
 * breaks its schema. Jobs have no answer: `send` errors.
 */
export class BullClient extends ClientProxy {
  readonly #queue: BullQueue;

  constructor(options: JobQueueOptions) {
    super();
    this.#queue = openJobQueue(options);
  }

  /** Nothing to do: the connection opens by itself. */
  override async connect(): Promise<void> {}

  override async close(): Promise<void> {
    await this.#queue.close();
  }

  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the signature is Nest's
  override unwrap<T = BullQueue>(): T {
    return this.#queue as T;
  }

  protected override publish(_packet: ReadPacket, callback: (packet: WritePacket) => void): () => void {
    callback({ err: new Error('a job has no answer: use emit') });
    return () => {};
  }

  protected override async dispatchEvent<T = undefined>({ pattern, data }: ReadPacket<unknown>): Promise<T> {
    const [queue, name] = String(pattern).split('.', 2) as [WorkQueue, string?];
    if (queue === 'commands') await this.#queue.command({ name, data } as Command);
    else await this.#queue.send([checkedJob(queue, data)]);
    return undefined as T;
  }
}

function checkedJob(queue: Exclude<WorkQueue, 'commands'>, data: unknown): Job {
  const check = checkJob(queue, queue, data);
  if ('reasons' in check) throw new JobDataError(queue, check.reasons);
  return { queue, data: check.data } as Job;
}
