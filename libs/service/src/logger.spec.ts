import { Logger } from '@nestjs/common';
import { expect, test } from '@jest/globals';
import { ServiceLogger } from './logger.ts';

function recorder(level: 'debug' | 'info' = 'debug'): {
  logger: ServiceLogger;
  records: Record<string, unknown>[];
} {
  const records: Record<string, unknown>[] = [];
  return {
    logger: new ServiceLogger('merger', level, 'json', {
      write: (line) => records.push(JSON.parse(line) as Record<string, unknown>),
    }),
    records,
  };
}

test('a record is one line of JSON with level, time, service, message, context and fields', () => {
  const { logger, records } = recorder();
  logger.log('merged a batch', { collection: 'todo', items: 3 }, 'Merge');
  expect(records).toEqual([
    {
      level: 'info',
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      service: 'merger',
      message: 'merged a batch',
      context: 'Merge',
      collection: 'todo',
      items: 3,
    },
  ]);
});

test('an error comes with its kind, message and stack', () => {
  const { logger, records } = recorder();
  const error = new RangeError('too many');
  logger.error('not merged', error, 'Merge');
  logger.error(error, 'Merge');
  logger.error('not merged', error.stack, 'Merge');
  const err = { type: 'RangeError', message: 'too many', stack: error.stack };
  expect(records).toMatchObject([
    { level: 'error', message: 'not merged', context: 'Merge', err },
    { level: 'error', message: 'too many', context: 'Merge', err },
    { level: 'error', message: 'not merged', context: 'Merge', stack: error.stack },
  ]);
});

test('whatever is logged has one line', () => {
  const { logger, records } = recorder();
  logger.warn('two\nlines');
  logger.debug({ a: 1 });
  logger.fatal(7);
  logger.log('x', undefined);
  expect(records).toMatchObject([
    { level: 'warn', message: 'two\nlines' },
    { level: 'debug', a: 1 },
    { level: 'fatal', value: 7 },
    { level: 'info', message: 'x' },
  ]);
});

test('what Nest logs during setup is for debugging only', () => {
  const { logger, records } = recorder('info');
  logger.log('HealthModule dependencies initialized', 'InstanceLoader');
  logger.verbose('too much');
  expect(records).toEqual([]);
});

test("Nest's own Logger writes through it", () => {
  const { logger, records } = recorder();
  Logger.overrideLogger(logger);
  new Logger('Merge').warn('slow');
  expect(records).toMatchObject([{ level: 'warn', message: 'slow', context: 'Merge' }]);
});
