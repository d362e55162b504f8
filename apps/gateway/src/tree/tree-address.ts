/** Where the bytes with this digest are published; a link's address ends in a name besides. */
export function fileUrl(publicUrl: string, collection: string, digest: string): string {
  return `${publicUrl}/files/${collection}/${digest}`;
}
