// A service as the launcher sees it: ready on its port, ends on SIGTERM. `deaf` ignores SIGTERM, `broken`
// never comes up. With GATEWAY_TLS_CERT the gateway has TLS.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createServer as createSecureServer } from 'node:https';

const [, , name, manner] = process.argv;
if (manner === 'broken') process.exit(3);
if (!process.env.REDIS_URL || !process.env.MONGODB_URI)
  throw new Error('the launcher has passed no addresses');
const port = Number(name === 'gateway' ? process.env.PORT : process.env.HEALTH_PORT);
const respond = (request, response) => response.writeHead(request.url === '/health/ready' ? 200 : 404).end();
const { GATEWAY_TLS_CERT: cert, GATEWAY_TLS_KEY: key } = process.env;
const server =
  name === 'gateway' && cert
    ? createSecureServer({ cert: readFileSync(cert), key: readFileSync(key) }, respond)
    : createServer(respond);
server.listen(port, '127.0.0.1');
process.on('SIGTERM', () => {
  if (manner === 'deaf') return;
  console.log(`${name} has stopped`);
  process.exit(0);
});
console.log(`${name} is up`);
