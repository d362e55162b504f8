import { expect, test } from '@jest/globals';
import { HostMeter } from './host-meter.ts';

const limits = { rate: 10, burst: 3, connections: 2 };

test('a burst and then the rate are within the limits', () => {
  const meter = new HostMeter(limits);
  for (const at of [0, 0, 0, 100, 200, 300]) {
    meter.sent(at);
    meter.ended();
  }
  expect([meter.excessRate, meter.excessConnections]).toEqual([0, 0]);
});

test('one request more than that is an excess of one, and so is one more in flight', () => {
  const meter = new HostMeter(limits);
  for (const at of [0, 0, 0, 0]) {
    meter.sent(at);
    meter.ended();
  }
  expect(meter.excessRate).toBeCloseTo(1);
  expect(meter.excessConnections).toBe(0);
  for (const at of [60_000, 60_000, 60_000]) meter.sent(at);
  expect(meter.excessConnections).toBe(1);
});
