import type { Command } from 'commander';
import { describe, expect, test } from '@jest/globals';
import { createProgram } from '../../apps/cli/src/program.ts';
import { run } from '../../apps/cli/src/run.ts';
import { memoryIo } from './memory-io.ts';

const program = createProgram(memoryIo(), () => undefined);

/** Every command and group, with the words that name it. */
function commandsIn(
  command: Command,
  words: readonly string[] = [],
): [words: readonly string[], command: Command][] {
  return command.commands.flatMap((inner) => {
    const path = [...words, inner.name()];
    return [[path, inner] as [readonly string[], Command], ...commandsIn(inner, path)];
  });
}

const all = commandsIn(program);
const leaves = all.filter(([, { commands }]) => commands.length === 0);

/**
 * The words of a command line as a shell would split it, up to a pipe or redirection; what stands before the
 * program is left out.
 */
function wordsOf(example: string): string[] {
  const words = [...example.matchAll(/"([^"]*)"|'([^']*)'|([^\s"']+)/g)].map(
    ([, double, single, plain = '']) => double ?? single ?? plain,
  );
  const line = words.slice(words.lastIndexOf('feedmesh') + 1);
  const end = line.findIndex((word) => ['|', '>', '>>'].includes(word));
  return end < 0 ? line : line.slice(0, end);
}

async function helpOf(words: readonly string[]): Promise<string> {
  const io = memoryIo();
  expect([words, await run([...words, '--help'], io)]).toEqual([words, 0]);
  return io.out();
}

describe('the help of each command', () => {
  test('describes the command, its arguments and its options', () => {
    for (const [words, command] of all) {
      const texts = [
        command.description(),
        ...command.registeredArguments.map(({ description }) => description),
        ...command.options.map(({ description }) => description),
      ];
      expect([words, texts.filter((text) => text === '')]).toEqual([words, []]);
    }
  });

  test.each(leaves.map(([words]) => [words.join(' '), words] as const))(
    '%s: has examples and exit codes, in lines of at most 80 characters',
    async (_name, words) => {
      const help = await helpOf(words);
      expect(help).toMatch(/\nExamples:\n {2}.*feedmesh/);
      expect(help).toMatch(/\nExit codes:\n(?: +\d+ {2}\S.*\n)*? +64 {2}the command line is wrong\n/);
      const details = help.slice(help.lastIndexOf('  -h, --help'));
      expect(details.split('\n').filter((line) => line.length > 80 && !line.startsWith('  '))).toEqual([]);
    },
  );

  test.each(leaves.map(([words]) => [words.join(' '), words] as const))(
    '%s: has examples that the program understands',
    async (name, words) => {
      const help = await helpOf(words);
      const examples = /\nExamples:\n((?: {2}.*\n)+)/.exec(help)?.[1]?.trimEnd().split('\n') ?? [];
      for (const example of examples.filter((line) => !line.includes('source <('))) {
        const called: string[] = [];
        const tried = createProgram(memoryIo(), () => undefined);
        for (const [path, command] of commandsIn(tried))
          command.action(() => void called.push(path.join(' ')));
        await tried.parseAsync(wordsOf(example), { from: 'user' });
        expect([example, called]).toEqual([example, [name]]);
      }
    },
  );

  test('is named for a group without a command', async () => {
    for (const group of ['collection', 'dead-letters']) {
      const io = memoryIo();
      expect(await run([group], io)).toBe(64);
      expect(io.err()).toContain(`Usage: feedmesh ${group} [options] [command]`);
    }
  });
});
