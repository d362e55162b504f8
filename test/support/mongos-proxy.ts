import { connect, createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import mongoose from 'mongoose';

const { BSON } = mongoose.mongo;

/** Kinds of replies in MongoDB's protocol, and where the documents in them begin. */
const bodies: Readonly<Record<number, number>> = { 1: 36, 2013: 21 };

/**
 * A proxy in front of a member of a replica set (`host:port`) that makes its `hello` that of a mongos.
 * Clients then take it for the router of a sharded cluster; the member answers everything else.
 */
export async function startMongosProxy(
  member: string,
): Promise<{ readonly host: string; close(): Promise<void> }> {
  const { hostname, port } = new URL(`tcp://${member}`);
  const clients = new Set<Socket>();
  const server = createServer((client) => {
    clients.add(client);
    const upstream = connect(Number(port), hostname);
    client.pipe(upstream);
    void forward(upstream, client).catch(() => client.destroy());
    client.on('error', () => upstream.destroy()).on('close', () => upstream.destroy());
    upstream.on('error', () => client.destroy()).on('close', () => client.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      for (const client of clients) client.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Sends on the messages of the member, one by one. */
async function forward(upstream: Socket, client: Socket): Promise<void> {
  let left: Buffer = Buffer.alloc(0);
  for await (const bytes of upstream) {
    left = Buffer.concat([left, bytes as Buffer]);
    while (left.length >= 4 && left.length >= left.readInt32LE(0)) {
      const length = left.readInt32LE(0);
      client.write(asMongos(left.subarray(0, length)));
      left = left.subarray(length);
    }
  }
}

/** The message, and if it is the reply to a `hello`, that of a mongos. */
function asMongos(message: Buffer): Buffer {
  const start = bodies[message.readInt32LE(12)];
  if (start === undefined) return message;
  const end = start + message.readInt32LE(start);
  const reply = BSON.deserialize(message.subarray(start, end), { promoteValues: false });
  if (!('isWritablePrimary' in reply) && !('ismaster' in reply)) return message;
  for (const name of ['setName', 'setVersion', 'hosts', 'primary', 'me', 'electionId', 'topologyVersion'])
    delete reply[name];
  const body = BSON.serialize({ ...reply, msg: 'isdbgrid' });
  const changed = Buffer.concat([message.subarray(0, start), body]);
  changed.writeInt32LE(changed.length, 0);
  // Without the flag of a checksum, which the new message has not.
  if (start === bodies[2013]) changed.writeUInt32LE(changed.readUInt32LE(16) & ~1, 16);
  return changed;
}
