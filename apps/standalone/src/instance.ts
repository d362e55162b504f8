import {
  freePort,
  isPortFree,
  SettingError,
  SupervisedProcess,
  type Limits,
  type Log,
  type ProcessRegister,
} from '#databases';
import { respondsReady } from './responds-ready.ts';
import { services as builtServices, type Service } from './service.ts';

export interface InstanceSettings {
  /**
   * The name before the service's in the log, if several instances run: `a/fetcher`. Empty for the only
   * one.
   */
  readonly name: string;
  /**
   * What every service gets; `REDIS_URL` and `MONGODB_URI` must be in it. `PORT` is the gateway's (default
   * 8080).
   */
  readonly environment: NodeJS.ProcessEnv;
  readonly services?: readonly Service[];
  /** Where the services' stdout and stderr go (default: to ours). */
  readonly output?: 'inherit' | 'ignore' | number;
  readonly register: ProcessRegister;
  readonly limits: Limits;
  readonly log: Log;
  readonly signal: AbortSignal;
}

export interface Instance {
  /** Where the gateway listens on this machine, without a slash at the end. */
  readonly url: string;
  /** The pids of the services that run now, by name. */
  readonly processes: Readonly<Record<string, number>>;
  /** Stops all services; resolves when none is left. */
  stop(): Promise<void>;
}

/**
 * Starts the services as processes of their own and resolves once each is ready. One that dies is started
 * again, until `stop`. Throws `SettingError` for a port that is not free, `NotReadyError` for a service that
 * does not come up; nothing is left running then.
 */
export async function startInstance(settings: InstanceSettings): Promise<Instance> {
  const port = await gatewayPort(settings.environment);
  const url = `${scheme(settings.environment)}://${gatewayHost(settings.environment)}:${port}`;
  const failure = new AbortController();
  const signal = AbortSignal.any([settings.signal, failure.signal]);
  const started = new Map<string, SupervisedProcess>();
  const stop = async (): Promise<void> => {
    await Promise.all([...started.values()].map((service) => service.stop()));
  };
  const starts = (settings.services ?? builtServices).map(async (service) => {
    try {
      started.set(service.name, await startService(service, port, settings, signal));
    } catch (error) {
      failure.abort(error);
      throw error;
    }
  });
  const failed = (await Promise.allSettled(starts)).some(({ status }) => status === 'rejected');
  if (failed) {
    await stop();
    throw settings.signal.aborted ? settings.signal.reason : failure.signal.reason;
  }
  return {
    url,
    get processes() {
      return Object.fromEntries(
        [...started].flatMap(([name, { pid }]) => (pid === undefined ? [] : [[name, pid]])),
      );
    },
    stop,
  };
}

async function startService(
  service: Service,
  gatewayPort: number,
  settings: InstanceSettings,
  signal: AbortSignal,
): Promise<SupervisedProcess> {
  const { limits, log, name, output = 'inherit', register } = settings;
  const port = service.portVariable === 'PORT' ? gatewayPort : await freePort();
  // HOST is for the gateway: the others listen for us alone.
  const host = service.portVariable === 'PORT' ? gatewayHost(settings.environment) : '127.0.0.1';
  const environment = {
    ...settings.environment,
    [service.portVariable]: String(port),
    ...(service.portVariable === 'HEALTH_PORT' && { HOST: host }),
  };
  const protocol = service.portVariable === 'PORT' ? scheme(settings.environment) : 'http';
  const isReady = (): Promise<boolean> => respondsReady(`${protocol}://${host}:${port}/health/ready`);
  const fullName = name === '' ? service.name : `${name}/${service.name}`;
  const process = {
    name: fullName,
    command: service.command,
    environment,
    output,
    isReady,
    limits,
    register,
    log,
  };
  return SupervisedProcess.start(process, signal);
}

function scheme({ GATEWAY_TLS_CERT }: NodeJS.ProcessEnv): 'http' | 'https' {
  return GATEWAY_TLS_CERT ? 'https' : 'http';
}

/**
 * Where to reach a gateway that listens on `HOST`; one that listens on every address is reached by the
 * loopback one.
 */
function gatewayHost({ HOST }: NodeJS.ProcessEnv): string {
  return !HOST || HOST === '0.0.0.0' || HOST === '::' ? '127.0.0.1' : HOST;
}

async function gatewayPort(environment: NodeJS.ProcessEnv): Promise<number> {
  const text = environment['PORT'] ?? '8080';
  const port = Number(text);
  if (!Number.isInteger(port) || port < 1 || port > 65_535)
    throw new SettingError(`PORT must be a whole number from 1 to 65535, not "${text}"`);
  if (!(await isPortFree(port))) throw new SettingError(`port ${port} is in use: set PORT to another one`);
  return port;
}
