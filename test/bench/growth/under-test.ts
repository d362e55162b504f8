import { startGateway } from '../../medium/gateway/gateway-under-test.ts';
import type { GatewayUnderTest } from '../../medium/gateway/gateway-under-test.ts';
import { PipelineUnderTest } from '../../medium/pipeline/pipeline-under-test.ts';
import { CountedStore } from '../../support/growth/counted-store.ts';
import type { MongodbOperation } from '../../support/mongodb-operations.ts';
import type { Counts } from './growth-case.ts';

/** Services that look for work as often as they do by default. */
const defaults = {
  FETCH_SCHEDULE_MS: '1000',
  FETCH_RECONCILE_MS: '5000',
  PUBLISH_RECONCILE_MS: '5000',
  PUBLISH_RELAY_MS: '5000',
};

/** Counts with a store alone, on a database of its own. */
export async function withStore(work: (under: CountedStore) => Promise<Counts>): Promise<Counts> {
  const under = await CountedStore.open();
  try {
    return await work(under);
  } finally {
    await under.close();
  }
}

let starting: Promise<GatewayUnderTest> | undefined;
let collections = 0;

/**
 * Counts with a gateway in this process, which all cases share until `closeGateway`.
 * @param work gets the name of a collection that no other case has
 */
export async function withGateway(
  work: (gateway: GatewayUnderTest, collection: string) => Promise<Counts>,
): Promise<Counts> {
  starting ??= startGateway();
  collections += 1;
  return work(await starting, `counted-${collections}`);
}

/** Ends the gateway that cases have shared, if there is one, and removes its databases. */
export async function closeGateway(): Promise<void> {
  const gateway = await starting;
  starting = undefined;
  await gateway?.close();
}

/** Counts with services in this process, which `work` starts, on databases of their own. */
export async function withServices(
  work: (services: PipelineUnderTest) => Promise<Counts>,
  settings: Readonly<Record<string, string>> = {},
): Promise<Counts> {
  const services = await PipelineUnderTest.open({ ...defaults, ...settings });
  try {
    return await work(services);
  } finally {
    await services.close();
  }
}

/** How many operations there were, and how many documents MongoDB looked at for them. */
export function countsOf(operations: readonly MongodbOperation[]): Counts {
  return {
    operations: operations.length,
    documents: operations.reduce((sum, { documents }) => sum + documents, 0),
  };
}
