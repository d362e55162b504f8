// A process that consumes changes: node consumer.mjs OPTIONS, with the options of ChangeEventServer and, as
// `seen`, the URL and key of a list that gets the id of each handled event. The handler fails for `broken`.
import { ChangeEventServer } from '#client';
import { Redis } from 'ioredis';

const { seen, ...options } = JSON.parse(process.argv[2]);
const redis = new Redis(seen.url);
const server = new ChangeEventServer(options);
server.addHandler(
  'feedmesh.item.*',
  async ({ id, subject }) => {
    if (subject === 'broken') throw new Error('broken');
    await redis.rpush(seen.key, id);
  },
  true,
);
server.listen(() => {});
