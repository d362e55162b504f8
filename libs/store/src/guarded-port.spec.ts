import { beforeEach, expect, test } from '@jest/globals';
import { guardedPort } from './guarded-port.ts';
import { currentTrace, traceWrites } from './write-trace.ts';

/** Elections that a test calls. */
class TestElections {
  primary = 1;
  isConfirmed = true;
  reason: string | undefined;

  elect(): void {
    this.primary += 1;
    this.isConfirmed = false;
  }

  async confirmed(): Promise<void> {
    if (this.reason !== undefined) throw new Error(this.reason);
    this.isConfirmed = true;
  }
}

/** A port whose calls do in turn what a test says. */
class Rows {
  readonly calls: (() => unknown)[] = [];

  async read(_body?: unknown): Promise<unknown> {
    return this.calls.shift()?.();
  }

  async *list(): AsyncGenerator {
    yield this.calls.shift()?.();
    yield this.calls.shift()?.();
  }
}

let elections: TestElections;
let rows: Rows;
let port: Pick<Rows, 'read' | 'list'>;

beforeEach(() => {
  elections = new TestElections();
  rows = new Rows();
  port = guardedPort(rows, { refusal: () => undefined, elections });
});

async function all(values: AsyncIterable<unknown>): Promise<unknown[]> {
  const found: unknown[] = [];
  for await (const value of values) found.push(value);
  return found;
}

/** What a read gives during which another primary is elected. */
function past(): string {
  elections.elect();
  return 'past';
}

function writtenMeanwhile(): string {
  currentTrace()?.begin();
  currentTrace()?.end(true);
  return past();
}

test('a call waits until the primary is confirmed, and throws if that is not in time', async () => {
  elections.elect();
  elections.reason = 'no majority';
  rows.calls.push(() => 'present');
  await expect(port.read()).rejects.toMatchObject({
    name: 'UnavailableError',
    message: 'MongoDB is not available: no majority',
    stored: 'none',
  });
  elections.reason = undefined;
  await expect(port.read()).resolves.toBe('present');
});

test('what was read while another primary was elected is read again', async () => {
  rows.calls.push(past, () => 'present');
  await expect(port.read()).resolves.toBe('present');
});

test('an error that may be of the past is not believed either', async () => {
  const missing = (): never => {
    past();
    throw new Error('there is none');
  };
  rows.calls.push(missing, () => 'present');
  await expect(port.read()).resolves.toBe('present');
});

test('a call that has written is not made again', async () => {
  rows.calls.push(writtenMeanwhile, () => 'again');
  await expect(port.read()).resolves.toBe('past');
});

test('a call that reads is made again in work that has written before', async () => {
  rows.calls.push(
    () => currentTrace()?.begin(),
    past,
    () => 'present',
  );
  const read = traceWrites(async () => {
    await port.read();
    return port.read();
  });
  await expect(read).resolves.toBe('present');
});

test('a call that was given a stream is not made again', async () => {
  rows.calls.push(past, () => 'again');
  const body = (async function* () {
    yield 'bytes';
  })();
  await expect(port.read(body)).rejects.toThrow('another primary was elected while this was read');
});

test('a generator begins again if it has given nothing, else it throws', async () => {
  rows.calls.push(
    past,
    () => 'first',
    () => 'second',
  );
  await expect(all(port.list())).resolves.toEqual(['first', 'second']);
  rows.calls.push(() => 'first', past);
  await expect(all(port.list())).rejects.toThrow('another primary was elected');
});

test('work that is to be answered first pings once before it writes, and not if it has read', async () => {
  const log: string[] = [];
  const ping = async (): Promise<void> => void log.push('ping');
  const port = guardedPort(
    { find: async () => void log.push('find'), put: async () => void log.push('put') },
    { refusal: () => undefined, ping },
    ['find'],
  );
  await traceWrites(async () => {
    await port.put();
    await port.put();
  }, true);
  expect(log.splice(0)).toEqual(['ping', 'put', 'put']);
  await traceWrites(async () => {
    await port.find();
    await port.put();
  }, true);
  await traceWrites(() => port.put());
  expect(log).toEqual(['find', 'put', 'put']);
});

test('if no ping is answered, nothing is written', async () => {
  let isWritten = false;
  const put = async (): Promise<void> => void (isWritten = true);
  const ping = async (): Promise<void> => {
    throw Object.assign(new Error('reset'), { code: 'ECONNRESET' });
  };
  const port = guardedPort({ put }, { refusal: () => undefined, ping });
  await expect(traceWrites(() => port.put(), true)).rejects.toMatchObject({ stored: 'none' });
  expect(isWritten).toBe(false);
});
