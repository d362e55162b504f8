import { ModernFakeTimers } from '@jest/fake-timers';
import { ModuleMocker } from 'jest-mock';

const { console, fetch } = globalThis;

/** Jest's environment: the global object of the worker itself, so that what it has loaded is used again. */
export default class WorkerEnvironment {
  constructor({ projectConfig }) {
    this.global = globalThis;
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
    this.moduleMocker = new ModuleMocker(globalThis);
  }

  async setup() {}

  /** What a test file has left replaced is as it was before. */
  async teardown() {
    this.moduleMocker.restoreAllMocks();
    this.fakeTimersModern.dispose();
    globalThis.console = console;
    globalThis.fetch = fetch;
  }

  getVmContext() {
    return null;
  }

  exportConditions() {
    return [];
  }
}
