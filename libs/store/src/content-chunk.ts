import { Schema } from 'mongoose';
import { schemaOptions } from './schema-options.ts';

/**
 * Some of a content's bytes, in the layout of GridFS: each chunk but the last is as long as the file's
 * `chunkSize`.
 */
export interface ContentChunk {
  /** `<files_id>/<n>`. */
  _id: string;
  /** The `_id` of the file. */
  files_id: string;
  /** Which one it is, from 0. */
  n: number;
  data: Uint8Array;
}

export const contentChunkSchema = new Schema<ContentChunk>(
  {
    _id: { type: String, required: true },
    files_id: { type: String, required: true },
    n: { type: Number, required: true },
    data: { type: Schema.Types.Buffer, required: true },
  },
  schemaOptions,
);
contentChunkSchema.index({ files_id: 1, n: 1 }, { unique: true });

/**
 * The same bytes in chunks of one size; only the last may be smaller. A chunk is to be used up before the
 * next is requested, for all of them share their memory.
 */
export async function* inChunks(body: AsyncIterable<Uint8Array>, size: number): AsyncGenerator<Uint8Array> {
  const chunk = Buffer.allocUnsafe(size);
  let filled = 0;
  for await (const piece of body) {
    for (let taken = 0; taken < piece.length;) {
      const part = piece.subarray(taken, taken + size - filled);
      chunk.set(part, filled);
      taken += part.length;
      filled += part.length;
      if (filled === size) {
        yield chunk;
        filled = 0;
      }
    }
  }
  if (filled > 0) yield chunk.subarray(0, filled);
}
