const hooks = require('node:async_hooks');
const { register } = require('node:module');
const { pathToFileURL } = require('node:url');

register('./module-hooks.mjs', pathToFileURL(__filename));
process.setSourceMapsEnabled(true);

const eventHandlers = Symbol.for('EVENT_HANDLERS');

let files = 0;

/** What the framework stores for a running test. Each one that is not disabled slows down all promises. */
class TestStorage extends hooks.AsyncLocalStorage {
  static #all = [];

  constructor() {
    super();
    TestStorage.#all.push(this);
  }

  static disableAll() {
    for (const storage of TestStorage.#all.splice(0)) storage.disable();
  }
}

/**
 * Jest's runtime without its module system: Node itself loads what a test file imports. Each file gets
 * modules of its own below test/; those of the product and of packages are loaded once for each worker.
 * Jest's way, which loads all of them anew for each file, took most of the time of a whole run.
 */
class NativeRuntime {
  #environment;

  constructor(_config, environment) {
    this.#environment = environment;
  }

  /** The framework has state of its own for each file, and adds its event handlers each time. */
  requireInternalModule(path) {
    delete require.cache[path];
    delete globalThis[eventHandlers];
    // Since Node 24 it is a getter.
    const property = Object.getOwnPropertyDescriptor(hooks, 'AsyncLocalStorage');
    Object.defineProperty(hooks, 'AsyncLocalStorage', { value: TestStorage, configurable: true });
    try {
      return require(path);
    } finally {
      Object.defineProperty(hooks, 'AsyncLocalStorage', property);
    }
  }

  requireModule(path) {
    return require(path);
  }

  setGlobalsForRuntime(globals) {
    const { fakeTimersModern: timers, moduleMocker: mocker } = this.#environment;
    const jest = {
      fn: (...parameters) => mocker.fn(...parameters),
      spyOn: (...parameters) => mocker.spyOn(...parameters),
      restoreAllMocks: () => mocker.restoreAllMocks(),
      useFakeTimers: (options) => timers.useFakeTimers(options),
      useRealTimers: () => timers.useRealTimers(),
      advanceTimersByTime: (milliseconds) => timers.advanceTimersByTime(milliseconds),
      advanceTimersByTimeAsync: (milliseconds) => timers.advanceTimersByTimeAsync(milliseconds),
    };
    globalThis[Symbol.for('feedmesh.test-globals')] = { ...globals, jest };
  }

  unstable_shouldLoadAsEsm(path) {
    return !path.endsWith('.cjs');
  }

  async unstable_importModule(path) {
    // Node maps stack traces to the sources, unless Jest's way is in place.
    Error.prepareStackTrace = undefined;
    await import(`${pathToFileURL(path).href}?file=${(files += 1)}`);
  }

  enterTestCode() {}

  leaveTestCode() {}

  getSourceMaps() {
    return new Map();
  }

  getAllCoverageInfoCopy() {
    return undefined;
  }

  teardown() {
    TestStorage.disableAll();
  }
}

module.exports = { __esModule: true, default: NativeRuntime };
