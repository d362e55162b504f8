import type { RedisLocation } from '../redis.ts';
import type { GroupLocation } from './group-keys.ts';

export interface ChangeReaderOptions extends RedisLocation, GroupLocation {
  /** Unique within its group, and better the same after a restart: it then goes on at once. */
  readonly consumer: string;
  /** Ends the reading; the event being handled is still acknowledged. */
  readonly signal: AbortSignal;
  /**
   * The gateway, such as `https://feedmesh.example`: changes that Redis has lost are read there. Without it a
   * gap throws, and lost changes that no later one of their collection follows are not noticed.
   */
  readonly url?: string;
  /** The key for the gateway, which permits `read` for all collections; needed unless it has `AUTH=none`. */
  readonly key?: string;
  /** How many partitions there are: `STREAM_PARTITIONS` of the publisher (1). */
  readonly partitionCount?: number;
  /** Where a new group begins: with all that is kept, or with what comes next (`oldest`). */
  readonly from?: 'oldest' | 'newest';
  /**
   * Milliseconds after which another consumer of the group takes over from one that gives no sign of life
   * (30,000).
   */
  readonly takeOverAfter?: number;
  /** How many events are fetched at once (100). */
  readonly batch?: number;
}
