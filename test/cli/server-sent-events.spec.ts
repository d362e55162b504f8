import { expect, test } from '@jest/globals';
import { readServerSentEvents } from '../../apps/cli/src/service/server-sent-events.ts';

async function read(...chunks: readonly string[]) {
  const events = [];
  for await (const event of readServerSentEvents(bytesOf(chunks))) events.push(event);
  return events;
}

async function* bytesOf(chunks: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const chunk of chunks) yield Buffer.from(chunk);
}

test('an event has the id that was given last, its type and its lines of data', async () => {
  expect(await read('id: 1\nevent: x\ndata: a\ndata:b\n\n:comment\ndata: c\n\n')).toEqual([
    { id: '1', type: 'x', data: 'a\nb' },
    { id: '1', type: 'message', data: 'c' },
  ]);
});

test('the stream may be cut anywhere, and its lines may end in CR LF, LF or CR', async () => {
  for (const end of ['\r\n', '\n', '\r']) {
    const text = `id: 1${end}data: é${end}${end}data: b${end}${end}: ${end}`;
    const bytes = [...Buffer.from(text)].map((byte) => Uint8Array.of(byte));
    const events = [];
    for await (const event of readServerSentEvents(toAsync(bytes))) events.push(event.data);
    expect(events).toEqual(['é', 'b']);
  }
});

test('an event without its closing empty line is dropped', async () => {
  expect(await read('data: a\n\ndata: b\n')).toEqual([{ id: '', type: 'message', data: 'a' }]);
});

async function* toAsync<T>(values: readonly T[]): AsyncGenerator<T> {
  yield* values;
}
