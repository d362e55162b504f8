import type { mongo } from 'mongoose';
import type { ContentChunk } from './content-chunk.ts';
import type { ContentFile } from './content-file.ts';
import { idOf } from './key.ts';

/** How many chunks one step looks at: it holds no more than their keys in memory. */
const stepChunks = 1000;

/**
 * Removes the chunks of writes that began before a time and never became a file. Goes through the chunks by
 * their index, step by step. Returns how many bytes that were.
 */
export async function removeLeftovers(
  files: mongo.Collection<ContentFile>,
  chunks: mongo.Collection<ContentChunk>,
  before: Date,
): Promise<number> {
  let bytes = 0;
  for (let last: string | undefined = ''; last !== undefined;) {
    const step: Pick<ContentChunk, 'files_id'>[] = await chunks
      .find(
        { files_id: { $gt: last } },
        { sort: { files_id: 1, n: 1 }, limit: -stepChunks, batchSize: stepChunks },
      )
      .project<Pick<ContentChunk, 'files_id'>>({ _id: 0, files_id: 1 })
      .toArray();
    const begun = [...new Set(step.map(({ files_id }) => files_id))].filter(
      (file) => idOf(file) < before.toISOString(),
    );
    const whole = new Set(await files.distinct('_id', { _id: { $in: begun } }));
    bytes += await removeChunks(
      chunks,
      begun.filter((file) => !whole.has(file)),
    );
    last = step.at(-1)?.files_id;
  }
  return bytes;
}

async function removeChunks(
  chunks: mongo.Collection<ContentChunk>,
  files: readonly string[],
): Promise<number> {
  if (files.length === 0) return 0;
  const ofThese = { files_id: { $in: files } };
  const [sum] = await chunks
    .aggregate<{ bytes: number }>([
      { $match: ofThese },
      { $group: { _id: null, bytes: { $sum: { $binarySize: '$data' } } } },
    ])
    .toArray();
  await chunks.deleteMany(ofThese);
  return sum?.bytes ?? 0;
}
