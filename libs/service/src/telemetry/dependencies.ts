import { Gauge, register } from 'prom-client';

const name = 'feedmesh_dependency_up';

/**
 * Has the metrics of this process tell whether its dependencies work, which it looks at when they are read.
 * @param states returns for each dependency `up` or what is wrong
 */
export function measureDependencies(states: () => Promise<Readonly<Record<string, string>>>): Gauge {
  // Tests run several services in one process.
  register.removeSingleMetric(name);
  return new Gauge({
    name,
    help: 'Whether what this process needs works, such as mongodb and redis, by dependency: 1 or 0.',
    labelNames: ['dependency'],
    async collect() {
      for (const [dependency, state] of Object.entries(await states()))
        this.set({ dependency }, state === 'up' ? 1 : 0);
    },
  });
}
