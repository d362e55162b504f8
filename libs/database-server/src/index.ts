export { provideDatabases } from './databases.ts';
export type { Databases, DatabaseSettings } from './databases.ts';
export { readLimits, SettingError } from './limits.ts';
export type { Limits } from './limits.ts';
export type { Log } from './log.ts';
export { freePort, isPortFree } from './process/free-port.ts';
export { ProcessRegister } from './process/process-register.ts';
export { SupervisedProcess } from './process/supervised-process.ts';
export { openThrowaway } from './throwaway-folder.ts';
