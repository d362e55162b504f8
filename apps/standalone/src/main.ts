import { launch } from './launch.ts';
import { logToStderr, terminationSignal } from './termination.ts';

try {
  await launch({ environment: process.env, log: logToStderr, signal: terminationSignal() });
  process.exit(0);
} catch (error) {
  logToStderr(error instanceof Error ? error.message : String(error));
  process.exit(1);
}
