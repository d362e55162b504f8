import { afterAll, beforeAll } from '@jest/globals';
import { startGateway } from './gateway-under-test.ts';
import type { GatewayUnderTest } from './gateway-under-test.ts';

/** A gateway for all tests of a file: it starts before the first one, and is closed after the last one. */
export function useGateway(environment: Record<string, string> = {}): GatewayUnderTest {
  const gateway = {} as GatewayUnderTest;
  beforeAll(async () => void Object.assign(gateway, await startGateway(environment)));
  afterAll(() => gateway.close());
  return gateway;
}
