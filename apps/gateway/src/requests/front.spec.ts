import { EventEmitter } from 'node:events';
import { expect, test } from '@jest/globals';
import { contain } from '#service';
import { putInFront } from './front.ts';
import type { Step } from './front.ts';

/** Sends a request to a server with these steps; returns what has it, and the error that ended it. */
function send(steps: readonly Step[]): { readonly taken: string[]; readonly failed: Promise<unknown> } {
  const taken: string[] = [];
  const server = new EventEmitter();
  const application = () => void taken.push('application');
  server.on('request', application);
  putInFront(server as never, application as never, steps);
  const failed = new Promise((resolve) => {
    contain(resolve, () => server.emit('request', taken, undefined));
  });
  return { taken, failed };
}

const pass =
  (name: string): Step =>
  (request, _response, next) => {
    (request as unknown as string[]).push(name);
    next();
  };

test('the application has what no step has answered', () => {
  expect(send([pass('a'), pass('b')]).taken).toEqual(['a', 'b', 'application']);
  expect(send([pass('a'), () => {}, pass('b')]).taken).toEqual(['a']);
});

test('what a step throws ends its request', async () => {
  const error = new Error('away');
  const fail: Step = () => {
    throw error;
  };
  const later: Step = async (_request, _response, next) => {
    await Promise.resolve();
    next();
  };
  for (const steps of [
    [fail],
    [pass('a'), async () => fail({} as never, {} as never, () => {})],
    [later, fail],
  ])
    expect(await send(steps).failed).toBe(error);
});
