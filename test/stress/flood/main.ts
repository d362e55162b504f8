import { constants, setPriority } from 'node:os';
import { isStress } from '../../support/stress.ts';
import { sendFlood } from './flood.ts';
import type { PacedLoad } from './paced-load.ts';

// What is measured is not to be the sending, which stands for machines elsewhere. With a still lower priority
// it would send too little while the gateways are busy.
if (isStress) setPriority(constants.priority.PRIORITY_BELOW_NORMAL);

/** Sends the load that `LOAD` describes, and prints what came of it. */
process.stdout.write(JSON.stringify(await sendFlood(JSON.parse(process.env['LOAD'] ?? '') as PacedLoad)));
