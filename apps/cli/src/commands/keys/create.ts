import { parseGrant } from '#contracts';
import type { Grant, IssuedKeyView } from '#contracts';
import { digestAccessKey, makeAccessKey } from '#core';
import { accessSecretsOf } from '#service';
import { CommandError, exitCode } from '../../command-error.ts';
import type { ExitCode } from '../../command-error.ts';
import { audited } from '../../databases/audited.ts';
import { openMongodb } from '../../databases/databases.ts';
import type { Io } from '../../io.ts';
import { readSetting } from '../../read-setting.ts';
import { Service } from '../../service/service.ts';
import type { ServiceOptions } from '../../service/service.ts';
import { keyText } from '../../service/key-text.ts';
import { printResult } from '../../terminal/print-result.ts';

interface CreateArguments extends ServiceOptions {
  readonly name: string;
  /** Such as `read,write:todo-*`. */
  readonly grant: readonly string[];
  /** RFC 3339. */
  readonly expires?: string;
  /** The subject of the client certificate that stands for it. */
  readonly subject?: string;
  /** Whether it is written to MongoDB directly. */
  readonly database: boolean;
  readonly output: 'text' | 'json';
}

/**
 * Creates a key, and prints it. Throws as `Service` does; CommandError (64) for a grant that is none; with
 * `database` (64) without `AUTH_SECRETS`, (69) if MongoDB does not respond.
 */
export async function createKey(options: CreateArguments, io: Io): Promise<ExitCode> {
  const { name, grant: given, subject, expires: expiresAt, database, output, ...service } = options;
  if (database && subject !== undefined)
    throw new CommandError('--subject can not be used with --database', exitCode.usage);
  const grants = given.map(grantIn);
  const body = { name, grants, ...(expiresAt !== undefined && { expiresAt }) };
  const issued = database
    ? await writeKey(body, io)
    : await new Service(service, io).json<IssuedKeyView>('/v1/keys', {
        method: 'POST',
        body: { ...body, ...(subject !== undefined && { subject }) },
      });
  await printResult(issued, keyText(issued), output, io);
  return exitCode.done;
}

async function writeKey(
  { name, grants, expiresAt }: { name: string; grants: Grant[]; expiresAt?: string },
  io: Io,
): Promise<{ readonly id: string; readonly key: string }> {
  const [secret] = readSetting(io, accessSecretsOf);
  const store = await openMongodb(io);
  try {
    const { id, text } = makeAccessKey();
    await audited(store, io, 'keys create', async (named) => {
      named({ kind: 'key', id });
      await store.accessKeys.add({
        id,
        name,
        grants,
        secrets: [{ digest: digestAccessKey(secret, text) }],
        createdAt: new Date(),
        ...(expiresAt !== undefined && { expiresAt: new Date(expiresAt) }),
      });
    });
    return { id, key: text };
  } finally {
    await store.close();
  }
}

/** Throws CommandError (64). */
function grantIn(text: string): Grant {
  const grant = parseGrant(text);
  if (grant === undefined)
    throw new CommandError(
      `the grant "${text}" (--grant): It must be like read,write:todo-*.`,
      exitCode.usage,
    );
  return grant;
}
