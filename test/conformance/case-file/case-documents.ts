/** The documents of a case, by their names. */
export class CaseDocuments {
  readonly #texts: ReadonlyMap<string, string>;

  constructor(texts: ReadonlyMap<string, string>) {
    this.#texts = texts;
  }

  /** All names, in the order of the file. */
  get names(): string[] {
    return [...this.#texts.keys()];
  }

  has(name: string): boolean {
    return this.#texts.has(name);
  }

  /** Throws an error if the case has no such document. */
  text(name: string): string {
    const text = this.#texts.get(name);
    if (text === undefined) throw new Error(`The case has no ${name}.`);
    return text;
  }
}
