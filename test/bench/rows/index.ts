import type { Row } from '../row.ts';
import { access } from './access.ts';
import { auditedEdit } from './audited-edit.ts';
import { edit } from './edit.ts';
import { event } from './event.ts';
import { firstSync } from './first-sync.ts';
import { unchangedFeed, wholeFeed } from './own-feed.ts';
import { poll } from './poll.ts';
import { reading, scanning } from './reading.ts';
import { secondSync } from './second-sync.ts';
import { subscribing } from './subscribing.ts';
import { wrongKey } from './wrong-key.ts';

/** What operations cost, each beside something else, in the order of the table. */
export const rows: readonly Row[] = [
  firstSync,
  secondSync,
  poll,
  edit,
  auditedEdit,
  subscribing,
  unchangedFeed,
  wholeFeed,
  access,
  wrongKey,
  event,
  scanning,
  reading,
];
