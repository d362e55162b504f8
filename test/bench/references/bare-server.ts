import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** A server of Node and nothing else, in a process of its own. */
export interface BareServer {
  readonly url: string;
  close(): void;
}

/** The program: the same bytes for every request, or 304 if the request has any `If-None-Match`. */
const program = `
  const [type, encoding] = process.argv.slice(1);
  const chunks = [];
  process.stdin.on('data', (chunk) => chunks.push(chunk)).on('end', () => {
    const body = Buffer.concat(chunks);
    const headers = { 'content-type': type, etag: '"1"', 'content-length': body.length };
    if (encoding) headers['content-encoding'] = encoding;
    const server = require('node:http').createServer((request, response) => {
      if (request.headers['if-none-match']) response.writeHead(304, { etag: '"1"' }).end();
      else response.writeHead(200, headers).end(body);
    });
    server.listen(0, '127.0.0.1', () => console.log(server.address().port));
  });
`;

/** Starts one that has these bytes. */
export async function startBareServer(body: Buffer, type: string, encoding = ''): Promise<BareServer> {
  const child = spawn(process.execPath, ['-e', program, type, encoding], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, NODE_OPTIONS: '' },
  });
  child.stdin.end(body);
  const [port] = (await once(child.stdout, 'data')) as [Buffer];
  return { url: `http://127.0.0.1:${String(port).trim()}/`, close: () => void child.kill() };
}
