/** Resolves with what people should know although the service works; with undefined if there is nothing. */
export type HealthNote = () => Promise<string | undefined>;

/** Collects what `/health/ready` says beside its checks. */
export class HealthNotes {
  readonly #notes: Readonly<Record<string, HealthNote>>;
  readonly #limit: number;

  /** @param limit how long one may take, in seconds */
  constructor(notes: Readonly<Record<string, HealthNote>>, limit: number) {
    this.#notes = notes;
    this.#limit = limit;
  }

  /**
   * The notes that there are, by name. One that fails, or does not come in time, is left out: the checks say
   * what is wrong.
   */
  async read(): Promise<Record<string, string>> {
    const found = await Promise.all(
      Object.entries(this.#notes).map(async ([name, note]) => [name, await this.#inTime(note)] as const),
    );
    return Object.fromEntries(found.flatMap(([name, text]) => (text === undefined ? [] : [[name, text]])));
  }

  async #inTime(note: HealthNote): Promise<string | undefined> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<undefined>((resolve) => {
      timer = setTimeout(resolve, this.#limit * 1000, undefined);
    });
    try {
      return await Promise.race([note().catch(() => undefined), late]);
    } finally {
      clearTimeout(timer);
    }
  }
}
