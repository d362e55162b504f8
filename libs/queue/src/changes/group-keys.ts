import { besideStream, changeStream, streamKey } from './change-stream-keys.ts';

/** A group of consumers at one partition of the change events. */
export interface GroupLocation {
  readonly group: string;
  /** The stream's name and partition (`feedmesh:changes`, 0). */
  readonly stream?: string;
  readonly partition?: number;
}

/** The keys of a group in Redis: all on one node of a cluster. */
export interface GroupKeys {
  readonly stream: string;
  readonly lock: string;
  /** A hash: how far the group has handled each collection, and who reads. */
  readonly places: string;
  /** A stream: the events whose handlers have failed for good. */
  readonly dead: string;
  /** A set: the entries of `dead` that are to be handled again. */
  readonly retry: string;
}

export function groupKeys({ group, stream = changeStream, partition = 0 }: GroupLocation): GroupKeys {
  const beside = (what: string): string => besideStream(stream, partition, `${what}:${group}`);
  return {
    stream: streamKey(stream, partition),
    lock: beside('reader'),
    places: beside('places'),
    dead: beside('dead'),
    retry: beside('retry'),
  };
}
