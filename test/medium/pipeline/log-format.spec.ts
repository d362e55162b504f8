import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { leaveMongodbDatabase, ownMongodbDatabase } from '../../support/mongodb-database.ts';
import { ownRedisDatabase } from '../../support/redis-database.ts';
import { ServiceProcess } from '../../support/service-process.ts';
import { until } from '../../support/until.ts';

let addresses: { readonly REDIS_URL: string; readonly MONGODB_URI: string };

beforeAll(async () => {
  addresses = { REDIS_URL: await ownRedisDatabase(), MONGODB_URI: await ownMongodbDatabase() };
});
afterAll(() => leaveMongodbDatabase(addresses.MONGODB_URI));

/** The first line that a merger logs. */
async function firstLine(settings: Readonly<Record<string, string>>): Promise<string> {
  const merger = await ServiceProcess.start('merger', { ...addresses, ...settings });
  try {
    await until(() => merger.output.includes('\n'));
    return merger.output.slice(0, merger.output.indexOf('\n'));
  } finally {
    await merger.kill();
  }
}

test('a service logs JSON where its output is no terminal, and text with LOG_FORMAT=text', async () => {
  const started = { level: 'info', service: 'merger', message: 'started' };
  expect(JSON.parse(await firstLine({}))).toMatchObject(started);
  expect(await firstLine({ LOG_FORMAT: 'text' })).toMatch(/Z INFO {2}merger: started url=http:\S+$/);
});
