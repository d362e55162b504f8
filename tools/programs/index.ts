export { CommandError, outcome, run } from './command.ts';
export { goModule, goProgram, writableCopy } from './go.ts';
export { keep, programsFolder } from './keep.ts';
export type { Say } from './keep.ts';
