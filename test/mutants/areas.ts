/** A part of the source that gets its share of the mutants. */
export interface Area {
  readonly name: string;
  readonly folders: readonly string[];
}

const inProtocols = (folder: string): string[] =>
  ['feedsync', 'sse', 'cse'].map((name) => `libs/${name}/src/${folder}`);

export const areas: readonly Area[] = [
  { name: 'engines', folders: inProtocols('engine') },
  { name: 'XML', folders: ['libs/xml/src', ...inProtocols('xml')] },
  { name: 'items', folders: ['libs/items/src', 'libs/protocol/src', ...inProtocols('service')] },
  { name: 'pipeline', folders: ['apps/fetcher/src', 'apps/merger/src', 'apps/publisher/src'] },
  { name: 'gateway', folders: ['apps/gateway/src'] },
];

/** Whether a file holds code that tests can distinguish from a faulty one, and not what only starts it. */
export function isMutable(path: string): boolean {
  return (
    path.endsWith('.ts') &&
    !/\.(?:spec|acceptance|module|d)\.ts$/.test(path) &&
    !/\/(?:main|index)\.ts$|\/__fixtures__\//.test(path)
  );
}

/**
 * The folders of the suites that run the source in their own process. What the others start is built, and has
 * no fault.
 */
export const suiteFolders: readonly string[] = [
  'apps',
  'libs',
  ...['acceptance', 'cli', 'conformance', 'contracts', 'differential', 'medium'].map(
    (name) => `test/${name}`,
  ),
  ...['plain-feeds', 'properties', 'readers', 'simulation', 'toy-protocol'].map((name) => `test/${name}`),
];
