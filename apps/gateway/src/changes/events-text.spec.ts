import { expect, test } from '@jest/globals';
import type { ChangeEvent } from '#contracts';
import { eventsText } from './events-text.ts';

test('streams that send the same changes hold one text', () => {
  const event = { sequence: '0000000000000001', type: 'feedmesh.item.created.v1' } as ChangeEvent;
  const changes = { changes: [event], next: event.sequence };
  const text = eventsText(changes);
  expect(Buffer.from(text).toString()).toBe(
    `id: ${event.sequence}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`,
  );
  expect(eventsText(changes)).toBe(text);
  expect(eventsText({ ...changes })).not.toBe(text);
});
