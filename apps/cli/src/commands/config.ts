import { listServiceSettings } from '#service';
import { exitCode } from '../command-error.ts';
import type { ExitCode } from '../command-error.ts';
import type { Io } from '../io.ts';
import { Output } from '../terminal/output.ts';
import { paint } from '../terminal/text.ts';

interface ConfigArguments {
  readonly output: 'text' | 'json';
}

/**
 * Lists the settings of all services: name, default, description, who reads it, and the value in this
 * environment, without passwords.
 */
export async function config({ output: format }: ConfigArguments, io: Io): Promise<ExitCode> {
  const settings = listServiceSettings().map((setting) => ({
    ...setting,
    value: withoutPassword(setting.name, io.environment[setting.name]),
  }));
  const output = new Output(io.stdout);
  if (format === 'json') await output.write(`${JSON.stringify(settings)}\n`);
  else {
    let heading = '';
    for (const { name, default: standard = '', description, services, value } of settings) {
      const group = `# ${services.join(', ')}\n`;
      if (group !== heading) await output.write(`${heading === '' ? '' : '\n'}${group}`);
      heading = group;
      await output.write(
        `${paint(io, 'stdout', 'bold', name)}=${value ?? standard}` +
          `${value === undefined ? paint(io, 'stdout', 'dim', '  (default)') : ''}\n  ${description}\n`,
      );
    }
  }
  await output.flush();
  return exitCode.done;
}

/** An empty variable counts as unset, as it does for the services. */
function withoutPassword(name: string, value: string | undefined): string | undefined {
  if (value === undefined || value === '') return undefined;
  return /_(PASSWORD|KEYS|SECRETS|ADMIN_KEY)$/.test(name)
    ? '***'
    : value.replace(/^([a-z][a-z0-9+.-]*:\/\/[^/?#@:]*):[^/?#@]*@/i, '$1:***@');
}
