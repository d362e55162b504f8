export { CommandError, outcome, run } from './command.ts';
export type { CommandSettings } from './command.ts';
export { goModule, goProgram, goPrograms, writableCopy } from './go.ts';
export type { GoProgram } from './go.ts';
export { keep, programsFolder } from './keep.ts';
export type { Say } from './keep.ts';
