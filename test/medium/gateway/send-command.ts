import { Queue } from 'bullmq';
import type { JobsOptions } from 'bullmq';

/** Puts a command into the queue `commands`, as other teams do. */
export async function sendCommand(
  { redisUrl }: { readonly redisUrl: string },
  name: string,
  data: object,
  options?: JobsOptions,
): Promise<void> {
  const commands = new Queue('commands', { connection: { url: redisUrl }, prefix: '{feedmesh}' });
  await commands.add(name, data, options);
  await commands.close();
}
