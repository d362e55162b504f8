// `npm start` with stand-ins for the four services; the launcher itself and the databases are the real ones,
// as built.
import { fileURLToPath } from 'node:url';
import { launch } from '../../dist/apps/standalone/src/launch.js';
import { logToStderr, terminationSignal } from '../../dist/apps/standalone/src/termination.js';

const program = fileURLToPath(new URL('./fake-service.mjs', import.meta.url));
const services = ['fetcher', 'merger', 'publisher', 'gateway'].map((name) => ({
  name,
  command: [process.execPath, program, name],
  portVariable: name === 'gateway' ? 'PORT' : 'HEALTH_PORT',
}));
try {
  await launch({ environment: process.env, services, log: logToStderr, signal: terminationSignal() });
  process.exit(0);
} catch (error) {
  logToStderr(error.message);
  process.exit(1);
}
