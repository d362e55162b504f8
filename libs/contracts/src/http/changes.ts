import { z } from 'zod';
import { changeEvent } from '../change-event.ts';
import { itemEventExample } from '../item-event.ts';
import { contracts } from '../registry.ts';
import type { Described } from '../registry.ts';

/** Changes in order, and the cursor that the ones after them are read from. */
export const changes = z
  .object({
    changes: z.array(changeEvent),
    next: z.string().describe('The cursor to go on from: 16 digits; of all collections a text.'),
    ended: z
      .literal('shutting-down')
      .optional()
      .describe('Why a request that waits was answered before its time, with nothing new.'),
  })
  .register(contracts, {
    id: 'Changes',
    version: 1,
    example: { changes: [itemEventExample], next: '0000000000000042' },
  });
export type ChangesView = Described<typeof changes>;
