import { fileURLToPath } from 'node:url';
import { join } from 'node:path';
import { createServer } from 'node:http';
import { expect, test } from '@jest/globals';
import { freePort, ProcessRegister } from '#databases';
import { startInstance, type Instance, type InstanceSettings } from '../../apps/standalone/src/instance.ts';
import type { Service } from '../../apps/standalone/src/service.ts';
import { processIdentity } from '../../tools/databases/process/process-identity.ts';
import { certificateFile } from '../support/tls-proxy.ts';
import { hangLimit, until } from '../support/until.ts';
import { temporaryFolder } from './temporary-folder.ts';

const folder = temporaryFolder();
let registers = 0;

function fake(name: string, manner = 'good'): Service {
  const program = fileURLToPath(new URL('./fake-service.mjs', import.meta.url));
  return {
    name,
    command: [process.execPath, program, name, manner],
    portVariable: name === 'gateway' ? 'PORT' : 'HEALTH_PORT',
  };
}

async function settings(
  services: Service[],
  name = '',
  port?: number,
): Promise<InstanceSettings & { lines: string[] }> {
  registers += 1;
  const lines: string[] = [];
  const log = (line: string): void => void lines.push(line);
  return {
    name,
    environment: {
      ...process.env,
      PORT: String(port ?? (await freePort())),
      REDIS_URL: 'redis://unused',
      MONGODB_URI: 'mongodb://unused',
    },
    services,
    output: 'ignore',
    register: await ProcessRegister.open(join(folder, `register-${registers}`), log),
    limits: { ready: hangLimit, stop: 30_000, download: 1000 },
    log,
    signal: new AbortController().signal,
    lines,
  };
}

test('an instance is ready when every service reports that it is, and stops without a trace', async () => {
  const instance = await startInstance(await settings([fake('fetcher'), fake('gateway')]));
  expect((await fetch(`${instance.url}/health/ready`)).status).toBe(200);
  const pids = Object.values(instance.processes);
  expect(Object.keys(instance.processes).sort()).toEqual(['fetcher', 'gateway']);
  await instance.stop();
  expect(pids.filter(processIdentity)).toEqual([]);
  expect(instance.processes).toEqual({});
});

test('a gateway with a certificate is asked with TLS', async () => {
  const { environment, ...running } = await settings([fake('fetcher'), fake('gateway')]);
  const files = {
    GATEWAY_TLS_CERT: certificateFile('server'),
    GATEWAY_TLS_KEY: certificateFile('server-key'),
  };
  const instance = await startInstance({ ...running, environment: { ...environment, ...files } });
  expect(instance.url).toBe(`https://127.0.0.1:${environment['PORT']}`);
  await instance.stop();
});

test('a service that is killed is started again, each time after a longer pause, and said so', async () => {
  const running = await settings([fake('merger'), fake('gateway')]);
  const instance = await startInstance(running);
  const kill = async (): Promise<number> => {
    const pid = instance.processes['merger'] ?? 0;
    const before = running.lines.length;
    process.kill(pid, 'SIGKILL');
    await until(() =>
      running.lines.slice(before).some((line) => /^merger \(pid \d+\) is ready again$/.test(line)),
    );
    return pid;
  };
  const [first, second] = [await kill(), await kill()];
  expect(running.lines).toContain(
    `merger (pid ${first}) has died (killed by SIGKILL); starting it again in 0.5 s`,
  );
  expect(running.lines).toContain(
    `merger (pid ${second}) has died (killed by SIGKILL); starting it again in 1 s`,
  );
  expect(new Set([first, second, instance.processes['merger']]).size).toBe(3);
  await instance.stop();
});

test('a service that does not end in time is killed', async () => {
  const running = await settings([fake('publisher', 'deaf'), fake('gateway')]);
  const instance = await startInstance({ ...running, limits: { ...running.limits, stop: 1000 } });
  const { publisher = 0 } = instance.processes;
  await instance.stop();
  expect(processIdentity(publisher)).toBeUndefined();
  expect(running.lines).toContain(
    `publisher (pid ${publisher}) has not ended within 1 s (FEEDMESH_STOP_SECONDS); killing it`,
  );
});

test('a service that never comes up ends the start, and the others with it', async () => {
  const running = await settings([fake('fetcher', 'broken'), fake('gateway')]);
  await expect(startInstance(running)).rejects.toThrow(
    'fetcher has died 4 times before it was ready (exit code 3)',
  );
  expect(running.lines[0]).toMatch(
    /^fetcher \(pid \d+\) has died \(exit code 3\); starting it again in 0.5 s$/,
  );
  expect(
    (await fetch(`http://127.0.0.1:${running.environment['PORT']}/`).catch(() => undefined))?.status,
  ).toBeUndefined();
});

test('a port that is in use is an error that names the setting', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as { port: number };
  await expect(startInstance(await settings([fake('gateway')], '', port))).rejects.toThrow(
    `port ${port} is in use: set PORT to another one`,
  );
  server.close();
});

test('two instances run in one program, each with its name before its services', async () => {
  const [left, right] = [
    await settings([fake('gateway')], 'left'),
    await settings([fake('gateway')], 'right'),
  ];
  const instances: Instance[] = await Promise.all([startInstance(left), startInstance(right)]);
  expect(new Set(instances.map(({ url }) => url)).size).toBe(2);
  process.kill(instances[0]?.processes['gateway'] ?? 0, 'SIGKILL');
  await until(() => left.lines.some((line) => line.endsWith('is ready again')));
  expect(left.lines[0]).toMatch(/^left\/gateway \(pid \d+\) has died/);
  expect(right.lines).toEqual([]);
  await Promise.all(instances.map((instance) => instance.stop()));
});
