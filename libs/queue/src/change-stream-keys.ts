import { crc32 } from 'node:zlib';
import type { CollectionKey } from '#core';

/** The Redis Stream of a partition: `feedmesh:changes:0`. */
export function streamKey(stream: string, partition: number): string {
  return `${stream}:${partition}`;
}

/** A key about a partition's stream, on the same node of a cluster as the stream itself. */
export function besideStream(stream: string, partition: number, what: string): string {
  return `{${streamKey(stream, partition)}}:${what}`;
}

/** The partition that a collection's events go to: the CRC-32 of its name modulo the number of partitions. */
export function partitionOf(collection: CollectionKey, partitions: number): number {
  return crc32(collection) % partitions;
}
