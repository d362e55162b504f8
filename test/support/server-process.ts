import { spawn } from 'node:child_process';
import type { ChildProcess, StdioOptions } from 'node:child_process';
import { once } from 'node:events';
import { freezeProcess } from './freeze-process.ts';

/** A server of a test's own that things can happen to. */
export class ServerProcess {
  #child: ChildProcess | undefined;

  /** Runs a program, once; rejects if it can't be run. */
  async run(program: string, args: readonly string[], stdio: StdioOptions = 'ignore'): Promise<ChildProcess> {
    const child = spawn(program, args, { stdio });
    await once(child, 'spawn');
    this.#child = child;
    return child;
  }

  /** As a crash: SIGKILL. */
  async kill(signal: 'SIGKILL' | 'SIGTERM' = 'SIGKILL'): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill(signal);
    await exited;
  }

  /** Its connections stay open, and nothing responds any more once this resolves. */
  async freeze(): Promise<void> {
    if (this.#child) await freezeProcess(this.#child);
  }

  thaw(): void {
    this.#child?.kill('SIGCONT');
  }
}
