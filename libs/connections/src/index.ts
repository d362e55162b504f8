export { ConnectionsModule, openedQueue, openedStore } from './connections.module.ts';
