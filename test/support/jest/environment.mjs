import { ModernFakeTimers } from '@jest/fake-timers';
import { ModuleMocker } from 'jest-mock';
import { ReachedPlaces } from './reached-places.mjs';

const { console, fetch } = globalThis;
const reachedPlaces = process.env.REACHED_PLACES && new ReachedPlaces(process.env.REACHED_PLACES);

/** Jest's environment: the global object of the worker itself, so that what it has loaded is used again. */
export default class WorkerEnvironment {
  #path;

  constructor({ projectConfig }, { testPath }) {
    this.#path = testPath;
    this.global = globalThis;
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
    this.moduleMocker = new ModuleMocker(globalThis);
  }

  async setup() {
    await reachedPlaces?.begin();
  }

  /** What a test file has left replaced is as it was before. */
  async teardown() {
    await reachedPlaces?.end(this.#path);
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
