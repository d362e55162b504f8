import { Gauge } from 'prom-client';

/** Returns for each dependency `up` or what is wrong. */
type States = () => Promise<Readonly<Record<string, string>>>;

let statesOf: States | undefined;

new Gauge({
  name: 'feedmesh_dependency_up',
  help: 'Whether what this process needs works, such as mongodb and redis, by dependency: 1 or 0.',
  labelNames: ['dependency'],
  async collect() {
    for (const [dependency, state] of Object.entries((await statesOf?.()) ?? {}))
      this.set({ dependency }, state === 'up' ? 1 : 0);
  },
});

/** Has the metrics of this process tell of its dependencies, which are looked at whenever they are read. */
export function measureDependencies(states: States): void {
  statesOf = states;
}
