import { services } from '../../../apps/standalone/src/service.ts';
import type { Service } from '../../../apps/standalone/src/service.ts';
import { processorTimes } from '../processor-time.ts';
import type { Contender, Row, World } from '../row.ts';

/** Each service is started alone, until it is ready. */
export const start: Row = {
  name: 'start',
  operation: 'the start of a service, until it is ready',
  goals: services.map(({ name }) => ({ figure: 'processorTime', of: name, atMost: 1000 })),
  rounds: 5,
  open: async (world) => {
    const [ours, ...references] = services.map((service) => starting(world, service));
    if (ours === undefined) throw new Error('there is no service');
    return { ours, references };
  },
};

function starting(world: World, service: Service): Contender {
  return {
    name: service.name,
    run: async () => {
      const startedAt = performance.now();
      const installation = await world.another({ services: [service] });
      const seconds = (performance.now() - startedAt) / 1000;
      const pid = installation.processes[service.name] ?? 0;
      const processorTime = processorTimes({ [service.name]: pid });
      await installation.stop();
      return { operations: 1, seconds, processorTime };
    },
  };
}
