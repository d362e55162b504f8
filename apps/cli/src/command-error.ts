/** What the process ends with. */
export const exitCode = {
  done: 0,
  violations: 1,
  unreadable: 2,
  refused: 3,
  changed: 4,
  usage: 64,
  noDatabase: 69,
  fault: 70,
} as const;
export type ExitCode = (typeof exitCode)[keyof typeof exitCode];

/** A command could not be carried out, for a reason that one message gives. */
export class CommandError extends Error {
  override readonly name: string = 'CommandError';
  readonly exitCode: ExitCode;

  constructor(message: string, code: ExitCode, options?: ErrorOptions) {
    super(message, options);
    this.exitCode = code;
  }
}
