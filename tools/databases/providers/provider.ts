import type { Log } from '../log.ts';
import type { Server } from './server.ts';

/** What a provider has to hand. */
export interface Surroundings {
  readonly environment: NodeJS.ProcessEnv;
  /** How long one download may take, in milliseconds (`FEEDMESH_DOWNLOAD_SECONDS`). */
  readonly downloadLimit: number;
  readonly log: Log;
  /** For what need not be known unless something is looked for. */
  readonly debug: Log;
  readonly signal: AbortSignal;
}

/**
 * One way to come by a server's program. Returns its path; throws `PassedOverError` if this way is closed.
 */
export interface Provider {
  /** How the log names it. */
  readonly title: string;
  /** Whether it downloads or installs something, which users are told. */
  readonly installs: boolean;
  find(server: Server, surroundings: Surroundings): Promise<string>;
}

/** A provider of the resolver that led nowhere; the message is the reason. */
export class PassedOverError extends Error {
  override readonly name = 'PassedOverError';
}
