import { ScheduleSimulation } from './simulate-schedule.ts';
import { written } from './schedule-report.ts';
import { storyOf } from './story.ts';

/**
 * Runs the story of the schedule at its full size, or at that of the environment: SCHEDULE_SUBSCRIPTIONS,
 * SCHEDULE_HOSTS, SCHEDULE_DAYS, SCHEDULE_SEED.
 */
const sizeOf = (name: string, usual: number): number => Number(process.env[`SCHEDULE_${name}`] ?? usual);
const story = storyOf({
  subscriptions: sizeOf('SUBSCRIPTIONS', 100_000),
  hosts: sizeOf('HOSTS', 1000),
  days: sizeOf('DAYS', 30),
  seed: sizeOf('SEED', 1),
});
const simulation = new ScheduleSimulation(story);
const measurements = simulation.run((day) => {
  const { requests, delays, fixed, longestWait } = simulation.measurements;
  const seconds = Math.round(process.cpuUsage().user / 1_000_000);
  process.stderr.write(
    `day ${day}: ${requests} requests, delay ${(delays.mean / 60).toFixed(2)} min on average (fixed: ` +
      `${(fixed.mean / 60).toFixed(2)}), longest wait ${Math.round(longestWait / 1000)} s; ${seconds} s of ` +
      'processor time\n',
  );
});
process.stdout.write(`${written(measurements, story)}\n`);
