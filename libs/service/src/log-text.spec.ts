import { expect, test } from '@jest/globals';
import { logFormat, ServiceLogger } from './logger.ts';

function recorder(): { logger: ServiceLogger; lines: () => string[] } {
  let output = '';
  const logger = new ServiceLogger('merger', 'debug', 'text', { write: (text) => (output += text) });
  return { logger, lines: () => output.split('\n') };
}

test('a record is one line: time, level, service and context, message and fields', () => {
  const { logger, lines } = recorder();
  logger.log('merged a batch', { collection: 'todo', items: 3, reason: 'a b', at: { line: 7 } }, 'Merge');
  logger.warn('slow');
  expect(lines()).toEqual([
    expect.stringMatching(/^\d\d:\d\d:\d\d\.\d{3}Z INFO {2}merger\/Merge: merged a batch collection=todo /),
    expect.stringMatching(/Z WARN {2}merger: slow$/),
    '',
  ]);
  expect(lines()[0]?.endsWith('collection=todo items=3 reason="a b" at={"line":7}')).toBe(true);
});

test('a stack follows its record in indented lines', () => {
  const { logger, lines } = recorder();
  const error = Object.assign(new RangeError('too many'), { code: 'EMANY' });
  logger.error('not merged', error, 'Merge');
  logger.error('again', error.stack, 'Merge');
  const stack = (error.stack ?? '').split('\n').map((line) => `    ${line}`);
  expect(stack.length).toBeGreaterThan(1);
  expect(lines()).toEqual([
    expect.stringMatching(/ERROR merger\/Merge: not merged code=EMANY$/),
    ...stack,
    expect.stringMatching(/ERROR merger\/Merge: again$/),
    ...stack,
    '',
  ]);
});

test('control characters are escaped, so that a remote text can neither add lines nor change colours', () => {
  const { logger, lines } = recorder();
  logger.warn('two\nlines \u001b[31m', { url: '\u009b2J\u0007' });
  expect(lines()).toEqual([
    expect.stringContaining(String.raw`merger: two\x0alines \x1b[31m url=\x9b2J\x07`),
    '',
  ]);
});

test('the format is text on a terminal and JSON elsewhere, unless LOG_FORMAT is set', () => {
  expect(logFormat({}, { isTTY: true })).toBe('text');
  expect(logFormat({}, {})).toBe('json');
  expect(logFormat({ LOG_FORMAT: 'json' }, { isTTY: true })).toBe('json');
  expect(logFormat({ LOG_FORMAT: 'text' }, {})).toBe('text');
});
