import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Log } from '../log.ts';
import { freePort } from './free-port.ts';

/**
 * Returns the port of a server of a data folder: the one that it had at its last start, which `ports.json`
 * keeps, or another one if that is in use. Throws what the file system throws.
 * @param server its title
 */
export async function keptPort(folder: string, server: string, log: Log): Promise<number> {
  const file = join(folder, 'ports.json');
  const ports = readPorts(file);
  const name = server.toLowerCase();
  const kept = ports[name];
  const port = await freePort(kept);
  if (port === kept) return port;
  if (kept !== undefined) log(`${server}: port ${kept} is in use; using port ${port} from now on`);
  const text = JSON.stringify({ ...ports, [name]: port }, undefined, 2);
  writeFileSync(`${file}.new`, `${text}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
  return port;
}

function readPorts(file: string): Readonly<Record<string, number>> {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Record<string, number>;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw error;
  }
}
