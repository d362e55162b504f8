import type { QueueDepth } from '#queue';

const states = ['waiting', 'prioritized', 'due', 'active', 'delayed', 'paused'] as const;

/** The measurements of the queues in Prometheus's text format (0.0.4). */
export function writeQueueMetrics(depths: readonly QueueDepth[]): string {
  return [
    ...metric('feedmesh_queue_jobs', 'Jobs in a queue by their state.'),
    ...depths.flatMap((depth) =>
      states.map((state) => `feedmesh_queue_jobs{queue="${depth.queue}",state="${state}"} ${depth[state]}`),
    ),
    ...metric(
      'feedmesh_queue_backlog',
      'Jobs that workers could work on now: waiting, prioritized, due and active.',
    ),
    ...depths.map((depth) => `feedmesh_queue_backlog{queue="${depth.queue}"} ${backlogOf(depth)}`),
    ...metric('feedmesh_queue_oldest_seconds', 'Seconds since the oldest of these jobs was sent; 0 if none.'),
    ...depths.map(
      ({ queue, oldestSeconds }) => `feedmesh_queue_oldest_seconds{queue="${queue}"} ${oldestSeconds}`,
    ),
    '',
  ].join('\n');
}

function metric(name: string, help: string): string[] {
  return [`# HELP ${name} ${help}`, `# TYPE ${name} gauge`];
}

function backlogOf({ waiting, prioritized, due, active }: QueueDepth): number {
  return waiting + prioritized + due + active;
}
