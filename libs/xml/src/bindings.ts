/**
 * The namespaces that are in force inside an element, by prefix: those that it declares, and those around it.
 * What has been looked up once is found at once, so that a deep element costs no more than another.
 */
export class Bindings {
  readonly #own: Readonly<Record<string, string>>;
  readonly #outer: Bindings | undefined;
  readonly #found = new Map<string, string | undefined>();

  /** @param own a record without a prototype */
  constructor(own: Readonly<Record<string, string>>, outer?: Bindings) {
    this.#own = own;
    this.#outer = outer;
  }

  find(prefix: string): string | undefined {
    const own = this.#own[prefix];
    if (own !== undefined || this.#outer === undefined) return own;
    if (!this.#found.has(prefix)) this.#found.set(prefix, this.#outer.find(prefix));
    return this.#found.get(prefix);
  }
}
