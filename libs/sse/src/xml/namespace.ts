/** SSE 1.1: as the specification prints it, and the form that most of its implementations write. */
export const sseNamespaces = {
  https: 'https://www.microsoft.com/schemas/rss/sse',
  http: 'http://www.microsoft.com/schemas/rss/sse',
} as const;

/** Of the attribute in which Feedmesh tells itself an item's exact place (docs/decisions/0010). */
export const positionNamespace = 'urn:feedmesh:position';
