// A service as the launcher sees it: ready on its port, ends on SIGTERM. `deaf` ignores SIGTERM, `broken`
// never comes up.
import { createServer } from 'node:http';

const [, , name, manner] = process.argv;
if (manner === 'broken') process.exit(3);
if (!process.env.REDIS_URL || !process.env.MONGODB_URI)
  throw new Error('the launcher has passed no addresses');
const port = Number(name === 'gateway' ? process.env.PORT : process.env.HEALTH_PORT);
createServer((request, response) =>
  response.writeHead(request.url === '/health/ready' ? 200 : 404).end(),
).listen(port, '127.0.0.1');
process.on('SIGTERM', () => {
  if (manner === 'deaf') return;
  console.log(`${name} has stopped`);
  process.exit(0);
});
console.log(`${name} is up`);
