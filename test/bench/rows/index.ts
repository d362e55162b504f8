import type { Row } from '../row.ts';
import { access } from './access.ts';
import { auditedEdit } from './audited-edit.ts';
import { edit } from './edit.ts';
import { event } from './event.ts';
import { firstSync } from './first-sync.ts';
import { gateways } from './gateways.ts';
import { idle } from './idle.ts';
import { unchangedFeed, wholeFeed } from './own-feed.ts';
import { poll } from './poll.ts';
import { reading, scanning } from './reading.ts';
import { secondSync } from './second-sync.ts';
import { start } from './start.ts';
import { subscribing } from './subscribing.ts';
import { wrongKey } from './wrong-key.ts';

/** What operations cost, each beside something else; the idle one before the others leave anything to do. */
export const rows: readonly Row[] = [
  idle,
  start,
  firstSync,
  secondSync,
  poll,
  edit,
  gateways,
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
