/** What leads the keys of the event streams. */
export const changeStream = 'feedmesh:changes';

/** The Redis Stream of a partition: `feedmesh:changes:0`. */
export function streamKey(stream: string, partition: number): string {
  return `${stream}:${partition}`;
}

/** A key about a partition's stream, on the same node of a cluster as the stream itself. */
export function besideStream(stream: string, partition: number, what: string): string {
  return `{${streamKey(stream, partition)}}:${what}`;
}
