import { constants, setPriority } from 'node:os';
import { sendPaced } from './paced-load.ts';
import type { PacedLoad } from './paced-load.ts';

// What it stands for is on machines elsewhere: it is to take as little as possible from the gateways here.
setPriority(constants.priority.PRIORITY_LOW);

/** Sends the load that `LOAD` describes, and prints what came of it. */
const { statuses, seconds } = await sendPaced(JSON.parse(process.env['LOAD'] ?? '') as PacedLoad);
process.stdout.write(JSON.stringify({ statuses, seconds }));
