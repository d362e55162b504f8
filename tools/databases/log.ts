/** Where the launcher says what it does, one line a call. */
export type Log = (line: string) => void;
