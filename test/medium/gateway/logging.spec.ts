import { beforeAll, expect, test } from '@jest/globals';
import { until } from '../../support/until.ts';
import { useGateway } from './use-gateway.ts';
import { sendCommand } from './send-command.ts';

/** What was logged: the level and the whole text. */
const records: (readonly [level: string, text: string])[] = [];

const gateway = useGateway();
beforeAll(async () => {
  const write =
    (level: string) =>
    (...parts: unknown[]): void =>
      void records.push([
        level,
        parts.map((part) => (typeof part === 'string' ? part : JSON.stringify(part))).join(' '),
      ]);
  gateway.application.useLogger({
    log: write('log'),
    error: write('error'),
    warn: write('warn'),
    debug: write('debug'),
    verbose: write('verbose'),
    fatal: write('fatal'),
  });
});

test('what a client does wrong over HTTP is logged at debug level, without a stack', async () => {
  records.length = 0;
  await gateway.send('GET', '/nowhere', undefined, { 'x-request-id': 'proxy-7' });
  await gateway.send('PUT', '/v1/collections/x', '{', { 'content-type': 'application/json' });
  await gateway.send('PUT', '/v1/collections/x', { wrong: 1 });
  await gateway.send('POST', '/v1/collections');
  await gateway.send('GET', '/v1/collections/x/items/%zz');
  expect(records.map(([level, text]) => [level, text.split(' ').slice(0, 4).join(' ')])).toEqual([
    ['debug', 'GET /nowhere: 404 not-found:'],
    ['debug', 'PUT /v1/collections/x: 400 invalid-json:'],
    ['debug', 'PUT /v1/collections/x: 400 invalid-input:'],
    ['debug', 'POST /v1/collections: 405 method-not-allowed:'],
    ['debug', 'GET /v1/collections/x/items/%zz: 400 bad-request:'],
  ]);
  expect(records[0]?.[1]).toContain('"request_id":"proxy-7"');
  expect(records.filter(([, text]) => /\n\s+at /.test(text))).toEqual([]);
});

test('a command that is refused is logged as a warning, without a stack', async () => {
  records.length = 0;
  await sendCommand(
    gateway,
    'edit',
    { collection: 'none', action: 'create', item: { title: 'x' } },
    { jobId: 'refused' },
  );
  await until(() => records.length > 0);
  expect(records).toEqual([
    ['warn', expect.stringMatching(/^commands refused refused: There is no collection "none"\.[^\n]*$/)],
  ]);
});
