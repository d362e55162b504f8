import { describe, expect, test } from '@jest/globals';
import { requestFetch } from '#contracts';
import type { Job } from '#contracts';
import { collectionKey, subscriptionId } from '#core';
import { Hosts } from './hosts.ts';

/** Hosts that one or two requests may be in flight to, and what they do with jobs and pauses. */
function underTest(connections = 2) {
  const sent: string[] = [];
  const paused: string[] = [];
  let time = Date.parse('2026-03-01T00:00:00Z');
  const hosts = new Hosts(
    { connections, failures: 2, pause: 10_000, longestPause: 40_000 },
    {
      clock: { now: () => new Date(time) },
      random: { fraction: () => 0 },
      send: (jobs) => void sent.push(...jobs.map((job) => job.deduplicate ?? job.queue)),
      paused: (host, { until, reason }) =>
        void paused.push(`${host} until ${until.toISOString()}: ${reason}`),
    },
  );
  return { hosts, sent, paused, pass: (seconds: number) => void (time += seconds * 1000) };
}

const job = (id: string): Job => requestFetch(collectionKey('todo'), subscriptionId(id));
const download: Job = {
  queue: 'download',
  data: {
    version: 1,
    collection: collectionKey('paper'),
    subscription: subscriptionId('source'),
    manifest: 'm',
    documents: [],
  },
};

describe('the slots of a host', () => {
  test('are refused beyond the limit, are its own, and can be given back once', () => {
    const { hosts } = underTest();
    const [first] = [hosts.take('a'), hosts.take('a')];
    expect(() => hosts.take('a')).toThrow(
      expect.objectContaining({ name: 'FetchError', rule: 'host-busy', host: 'a' }),
    );
    expect([hosts.access('a'), hosts.access('b')]).toEqual(['busy', 'open']);
    first();
    first();
    hosts.take('a');
    expect(hosts.access('a')).toBe('busy');
  });

  test('go to the jobs that wait, one for each, in the order of their arrival', () => {
    const { hosts, sent } = underTest();
    const [first, second] = [hosts.take('a'), hosts.take('a')];
    for (const id of ['x', 'y', 'z', 'x']) hosts.wait('a', job(id));
    expect(hosts.crowded).toEqual(['a']);
    first();
    expect(sent).toEqual(['todo/x']);
    const again = hosts.take('a');
    second();
    again();
    expect(sent).toEqual(['todo/x', 'todo/y', 'todo/z']);
    expect(hosts.crowded).toEqual([]);
  });

  test('a job whose slot has become free meanwhile does not wait', () => {
    const { hosts, sent } = underTest();
    hosts.wait('a', job('x'));
    expect(sent).toEqual(['todo/x']);
  });

  test('a job that takes no slot holds up no other for longer than to the next look', () => {
    const { hosts, sent } = underTest(1);
    const release = hosts.take('a');
    for (const id of ['x', 'y']) hosts.wait('a', job(id));
    release();
    hosts.resumeAll();
    expect(sent).toEqual(['todo/x', 'todo/y']);
  });

  test('downloads that wait keep no subscription from being due', () => {
    const { hosts } = underTest(1);
    hosts.take('a');
    hosts.wait('a', download);
    expect(hosts.crowded).toEqual([]);
    hosts.wait('a', job('x'));
    expect(hosts.crowded).toEqual(['a']);
  });

  test('no more than a thousand jobs wait', () => {
    const { hosts } = underTest(1);
    hosts.take('a');
    for (let id = 0; id < 1100; id += 1) hosts.wait('a', job(String(id)));
    expect(hosts.list()).toEqual([{ host: 'a', inFlight: 1, waiting: 1000, failures: 0 }]);
  });
});

describe('a host', () => {
  test('to which all fetchers together send enough takes nothing until its time', () => {
    const { hosts, sent, pass } = underTest();
    hosts.closeUntil('a', new Date('2026-03-01T00:00:05Z'));
    hosts.wait('a', job('x'));
    expect([hosts.access('a'), hosts.freeAt('a'), hosts.occupied, sent]).toEqual(['busy', 0, ['a'], []]);
    pass(5);
    hosts.resumeAll();
    expect([hosts.access('a'), hosts.freeAt('a'), sent]).toEqual(['open', 2, ['todo/x']]);
  });

  test('that asked to be left alone is, though requests fail meanwhile', () => {
    const { hosts, paused, pass } = underTest();
    const until = new Date('2026-03-01T00:01:00Z');
    hosts.pauseUntil('a', until, 'it asked to be left alone (Retry-After)');
    hosts.pauseUntil('a', new Date('2026-03-01T00:00:30Z'), 'for less');
    hosts.failed('a', 'silent');
    const reason = 'a: it asked to be left alone (Retry-After)';
    expect(hosts.pauseOf('a')).toEqual({ until, reason });
    expect(paused).toEqual([`a until 2026-03-01T00:01:00.000Z: ${reason}`]);
    pass(60);
    expect(hosts.pauseOf('a')).toBeUndefined();
  });
});

describe('a host that keeps failing', () => {
  const reason = 'a failed 2 times in a row (silent)';

  test('is paused, which is announced once, and takes nothing until then', () => {
    const { hosts, paused, pass } = underTest();
    for (let times = 0; times < 3; times += 1) hosts.failed('a', times < 2 ? 'silent' : 'late');
    expect(paused).toEqual([`a until 2026-03-01T00:00:10.000Z: ${reason}`]);
    expect(() => hosts.take('a')).toThrow(
      expect.objectContaining({
        rule: 'host-paused',
        message: expect.stringContaining('asked again at 2026-03-01T00:00:10'),
      }),
    );
    expect(hosts.pauseOf('b')).toBeUndefined();
    pass(10);
    expect(hosts.pauseOf('a')).toBeUndefined();
    hosts.take('a');
    expect(hosts.access('a')).toBe('busy');
  });

  test('lets one waiting job try after the pause, and all as soon as it answers', () => {
    const { hosts, sent, pass } = underTest();
    const release = [hosts.take('a'), hosts.take('a')];
    for (const id of ['x', 'y', 'z']) hosts.wait('a', job(id));
    for (const give of release) {
      hosts.failed('a', 'silent');
      give();
    }
    hosts.resumeAll();
    expect(sent).toEqual([]);
    pass(10);
    hosts.resumeAll();
    expect(sent).toEqual(['todo/x']);
    const probe = hosts.take('a');
    hosts.resumeAll();
    expect(sent).toEqual(['todo/x']);
    hosts.succeeded('a');
    probe();
    hosts.resumeAll();
    expect(sent).toEqual(['todo/x', 'todo/y', 'todo/z']);
    expect(hosts.list()).toEqual([]);
  });

  test('is down after three pauses in a row', () => {
    const { hosts, pass } = underTest();
    hosts.failed('a', 'silent');
    const isDown = Array.from({ length: 4 }, () => {
      hosts.failed('a', 'silent');
      pass(40);
      return hosts.isDown('a');
    });
    expect(isDown).toEqual([false, false, false, true]);
    hosts.succeeded('a');
    expect(hosts.isDown('a')).toBe(false);
  });

  test('is shown with what is known of it, and forgotten after a long time', () => {
    const { hosts, pass } = underTest();
    hosts.failed('a', 'silent');
    hosts.failed('a', 'silent');
    const known = { host: 'a', inFlight: 0, waiting: 0, failures: 2, reason: 'silent' };
    expect(hosts.list()).toEqual([{ ...known, pausedUntil: new Date('2026-03-01T00:00:10Z') }]);
    pass(80);
    hosts.resumeAll();
    expect(hosts.list()).toEqual([known]);
    pass(1);
    hosts.resumeAll();
    expect(hosts.list()).toEqual([]);
  });
});
