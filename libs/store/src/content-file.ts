import { Schema } from 'mongoose';
import type { CollectionKey, Content } from '#core';
import { schemaOptions } from './schema-options.ts';

/**
 * A content as MongoDB keeps it: a file in the layout of GridFS, with its bytes in chunks. It is written once
 * all of them are there, so that there is no file whose bytes are still to come.
 */
export interface ContentFile {
  /** `<collection>/<when the write began, RFC 3339>/<random>`. */
  _id: string;
  length: number;
  chunkSize: number;
  uploadDate: Date;
  metadata: { collection: CollectionKey; digest: string; type?: string; unreferencedSince?: Date };
}

export const contentFileSchema = new Schema<ContentFile>(
  {
    _id: { type: String, required: true },
    length: { type: Number, required: true },
    chunkSize: { type: Number, required: true },
    uploadDate: { type: Date, required: true },
    metadata: { type: Schema.Types.Mixed, required: true },
  },
  schemaOptions,
);
contentFileSchema.index({ 'metadata.collection': 1, 'metadata.digest': 1 }, { unique: true });

/** The files of a collection with one of these digests. */
export function withDigests(
  collection: CollectionKey,
  digests: readonly string[],
): { 'metadata.collection': string; 'metadata.digest': { $in: readonly string[] } } {
  return { 'metadata.collection': collection, 'metadata.digest': { $in: digests } };
}

/** The content that a file stands for. */
export function toContent({ length, uploadDate, metadata }: ContentFile): Content {
  return { ...metadata, length, createdAt: uploadDate };
}
