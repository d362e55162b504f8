/** A database server that Feedmesh needs, and how to recognise it. */
export interface Server {
  readonly title: 'Redis' | 'MongoDB';
  /** The setting that holds its address if it is given. */
  readonly variable: 'REDIS_URL' | 'MONGODB_URI';
  /** The names of its program, best first; the first is also its name in our cache. */
  readonly programs: readonly [string, ...string[]];
}

export const redis: Server = {
  title: 'Redis',
  variable: 'REDIS_URL',
  programs: ['redis-server', 'valkey-server'],
};
export const mongodb: Server = { title: 'MongoDB', variable: 'MONGODB_URI', programs: ['mongod'] };
