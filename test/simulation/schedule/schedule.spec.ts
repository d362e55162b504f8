import { expect, test } from '@jest/globals';
import { reportOf, written } from './schedule-report.ts';
import { ScheduleSimulation } from './simulate-schedule.ts';
import { storyOf } from './story.ts';

// In the first days rhythms are learned, so this asks for less than `npm run simulate-schedule`.
test('feeds are polled by their rhythms, within limits, without waves, and none is forgotten', () => {
  const story = storyOf({ subscriptions: 1500, hosts: 20, days: 5, seed: 7 });
  const measurements = new ScheduleSimulation(story).run();
  const report = reportOf(measurements, story);
  const text = written(measurements, story);
  const { dispersion } = report;
  const kept = {
    text,
    sendsAtMostThreeTenths: report.share < 0.3,
    isAboutAsSoon: report.mean < 1.2 * report.fixedMean,
    excess: [report.excessRate, report.excessConnections],
    isNeverLate: report.longestWait < 120,
    isNeverForgotten: report.longestSilence < 1.1 * story.longestInterval,
    hasFailed: measurements.failures > 0,
    hasNoWaves: [dispersion.usual, dispersion.afterOutage, dispersion.afterStop].every((one) => one < 1.4),
  };
  expect(kept).toEqual({
    text,
    sendsAtMostThreeTenths: true,
    isAboutAsSoon: true,
    excess: [0, 0],
    isNeverLate: true,
    isNeverForgotten: true,
    hasFailed: true,
    hasNoWaves: true,
  });
});
