import { editOneByOne } from '../../feedmesh/events.ts';
import type { Installation } from '../../feedmesh/installation.ts';
import { sendLoad } from '../../http-load.ts';
import { scaled } from '../../row.ts';
import type { Contender, Row, World } from '../../row.ts';
import { againstSmaller } from './against-smaller.ts';

const headers = { 'content-type': 'application/json' } as const;

/** Items are edited in one collection, and each in another one of many. */
export const manyCollections: Row = {
  name: 'scale-collections',
  operation: 'from an edit to its event on the stream, idle, in each collection in turn',
  goals: [],
  async open(world, scale) {
    const edits = Math.min(100, scaled(100, scale));
    const installations: Installation[] = [];
    const contenders: Contender[] = [];
    for (const count of [1, scaled(1000, scale)]) {
      const installation = await collectMany(world, count);
      installations.push(installation);
      const itemAt = (index: number) => ({ collection: `c-${(index * 97) % count}`, id: 'one' });
      const run = () => installation.measure(edits, () => editOneByOne(installation, edits, itemAt));
      contenders.push({ name: `feedmesh, ${count} collections`, run });
    }
    return {
      ...againstSmaller(contenders),
      close: async () => {
        for (const installation of installations) await installation.stop();
      },
    };
  },
};

/** An installation of its own with so many collections of one published item. */
async function collectMany(world: World, count: number): Promise<Installation> {
  const installation = await world.another();
  const collections = `${installation.url}/v1/collections`;
  await sendLoad(count, 16, 201, (index) => ({
    url: `${collections}/c-${index}`,
    method: 'PUT',
    headers,
    body: JSON.stringify({ format: 'atom' }),
  }));
  await sendLoad(count, 16, 201, (index) => ({
    url: `${collections}/c-${index}/items`,
    method: 'POST',
    headers,
    body: JSON.stringify({ id: 'one', title: 'One' }),
  }));
  for (let index = 0; index < count; index += 1) await installation.relayed(`c-${index}`, 1);
  return installation;
}
