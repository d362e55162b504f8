import { createHash, randomBytes } from 'node:crypto';
import { aclCommand, aclFileLine } from '#queue';
import type { RedisRole } from '#queue';
import { CommandError, exitCode } from '../command-error.ts';
import type { ExitCode } from '../command-error.ts';
import type { Io } from '../io.ts';
import { readInput } from '../read-input.ts';
import { Output } from '../terminal/output.ts';

interface RedisAclArguments {
  readonly role: RedisRole;
  /** `feedmesh-` and the role by default. */
  readonly user?: string;
  /** For a consumer. */
  readonly group?: string;
  /** The file with the password, `-` for stdin; without it one is made. */
  readonly password?: string;
  readonly format: 'file' | 'commands';
}

/**
 * Prints a user of Redis to stdout, and to stderr the password that was made for it. Throws CommandError (2)
 * if the password can't be read, (64) if it is not one line, or another role than a consumer has a group.
 */
export async function redisAcl(options: RedisAclArguments, io: Io): Promise<ExitCode> {
  const { role, user: name = `feedmesh-${role}`, group, password: source, format } = options;
  if (group !== undefined && role !== 'consumer')
    throw new CommandError(`--group is for a consumer, not for ${role}`, exitCode.usage);
  const password =
    source === undefined ? randomBytes(32).toString('base64url') : await readPassword(source, io);
  const passwordDigest = createHash('sha256').update(password).digest('hex');
  const user = { name, passwordDigest, role, ...(group !== undefined && { group }) };
  const output = new Output(io.stdout);
  await output.write(`${format === 'file' ? aclFileLine(user) : aclCommand(user)}\n`);
  await output.flush();
  if (source === undefined) io.stderr.write(`Password of ${name}: ${password}\n`);
  return exitCode.done;
}

/** The line in a file. */
async function readPassword(source: string, io: Io): Promise<string> {
  const password = (await readInput(source, io)).toString('utf8').replace(/\r?\n$/, '');
  if (password === '' || /[\r\n\0]/.test(password))
    throw new CommandError('the password must be one line that is not empty', exitCode.usage);
  return password;
}
