/** A part of the source that gets its share of the mutants. */
export interface Area {
  readonly name: string;
  readonly folders: readonly string[];
}

const protocols = ['feedsync', 'sse', 'cse'] as const;

const inProtocols = (folder: string): string[] => protocols.map((name) => `libs/${name}/src/${folder}`);

export const areas: readonly Area[] = [
  { name: 'engines', folders: inProtocols('engine') },
  { name: 'XML', folders: ['libs/xml/src', ...inProtocols('xml')] },
  { name: 'items', folders: ['libs/items/src', 'libs/protocol/src', ...inProtocols('service')] },
  { name: 'pipeline', folders: ['apps/fetcher/src', 'apps/merger/src', 'apps/publisher/src'] },
  { name: 'gateway', folders: ['apps/gateway/src'] },
];

const everyConformance = protocols.map((name) => `test/conformance/${name}.spec.ts`);

/** Whether a file holds code that tests can distinguish from a faulty one, and not what only starts it. */
export function isMutable(path: string): boolean {
  return (
    path.endsWith('.ts') &&
    !/\.(?:spec|acceptance|module|d)\.ts$/.test(path) &&
    !/\/(?:main|index)\.ts$/.test(path)
  );
}

/** The paths of the suites that can catch a fault in a file, the narrowest first; each is one run of Jest. */
export function suitesFor(path: string): string[][] {
  const [root = '', name = ''] = path.split('/');
  const sibling = path.replace(/\.ts$/, '.spec.ts');
  const module = `${root}/${name}/src/`;
  return [[sibling], [module], conformanceOf(path), ['apps/', 'libs/'], ...wideSuites(root, name)];
}

function conformanceOf(path: string): string[] {
  const own = /(?:^|\/)(feedsync|sse|cse)\//.exec(path)?.[1];
  return own === undefined ? everyConformance : [`test/conformance/${own}.spec.ts`];
}

/** What runs long, and is run by several workers. */
function wideSuites(root: string, name: string): string[][] {
  const stories = ['test/properties/', 'test/simulation/'];
  const pipeline = ['test/medium/pipeline/', 'test/medium/growth/'];
  const gateway = ['test/medium/gateway/'];
  if (root === 'libs')
    return [
      [...stories, 'test/differential/'],
      [...pipeline, ...gateway],
    ];
  return [stories, name === 'gateway' ? gateway : pipeline];
}
