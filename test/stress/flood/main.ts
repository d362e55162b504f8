import { sendPaced } from './paced-load.ts';
import type { PacedLoad } from './paced-load.ts';

/** Sends the load that `LOAD` describes, and prints what came of it. */
const { statuses, seconds } = await sendPaced(JSON.parse(process.env['LOAD'] ?? '') as PacedLoad);
process.stdout.write(JSON.stringify({ statuses, seconds }));
