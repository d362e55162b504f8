import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Mongod } from './mongod.ts';
import { certificateFile } from './tls-proxy.ts';
import { until } from './until.ts';

type Role = Readonly<Record<string, unknown>>;

/** A MongoDB that demands a user, and takes connections with TLS and without. */
export interface SecuredMongod {
  readonly server: Mongod;
  /** The address for the user `feedmesh`. */
  uri(password: string, host?: string): string;
  /** Runs a command on the database `feedmesh` as its administrator. */
  command(command: Readonly<Record<string, unknown>>): Promise<unknown>;
  end(): Promise<void>;
}

const credentials = 'root:root@';

/** Starts one, the only member of its replica set, with a user `feedmesh` that has this role alone. */
export async function startSecuredMongod(role: Role, password: string): Promise<SecuredMongod> {
  const server = await Mongod.start(['--replSet', 'secured', '--tlsMode', 'preferTLS'], async (folder) => {
    const [key, certificate] = [join(folder, 'keyfile'), join(folder, 'server.pem')];
    await writeFile(key, 'akeyofthemembers', { mode: 0o400 });
    const parts = [certificateFile('server'), certificateFile('server-key')];
    await writeFile(certificate, (await Promise.all(parts.map((file) => readFile(file, 'utf8')))).join(''));
    const ca = ['--tlsCAFile', certificateFile('authority'), '--tlsAllowConnectionsWithoutCertificates'];
    return ['--keyFile', key, '--tlsCertificateKeyFile', certificate, ...ca];
  });
  const command: SecuredMongod['command'] = (asked) => server.command(asked, { on: 'feedmesh', credentials });
  try {
    // Without users, MongoDB takes these from its own machine.
    await server.command({
      replSetInitiate: { _id: 'secured', members: [{ _id: 0, host: server.host }] },
    });
    await until(async () => (await server.command({ hello: 1 }))['isWritablePrimary'] === true);
    await server.command({ createUser: 'root', pwd: 'root', roles: ['root'] });
    const { role: name, ...rights } = role;
    await command({ createRole: name, ...rights });
    await command({ createUser: 'feedmesh', pwd: password, roles: [name] });
  } catch (error) {
    await server.end();
    throw error;
  }
  return {
    server,
    uri: (text, host = server.host) => `mongodb://feedmesh:${encodeURIComponent(text)}@${host}/feedmesh`,
    command,
    end: () => server.end(),
  };
}
