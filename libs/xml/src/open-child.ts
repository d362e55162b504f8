import type { SaxesTagNS } from 'saxes';
import type { Fragment } from './fragment.ts';
import type { Scope } from './payload.ts';
import type { TextPlace } from './pending-text.ts';

/** A namespace and a local name. */
export type ExpandedName = Pick<SaxesTagNS, 'uri' | 'local'>;

/** A child of `feed`, `channel` or `head`, or one beside these, that is being read. */
export class OpenChild {
  readonly place: TextPlace;
  id?: string;
  readonly #name: string;
  readonly #scope: Scope;
  #tag: ExpandedName | undefined;

  /**
   * @param name with its prefix
   * @param scope that around it
   */
  constructor(name: string, place: TextPlace, scope: Scope) {
    this.#name = name;
    this.place = place;
    this.#scope = scope;
  }

  /** Takes the start tag once all of it is read. */
  open(tag: ExpandedName): void {
    this.#tag = tag;
  }

  /** What is cut out of it. */
  fragment(xml: string): Fragment {
    const { line, column } = this.place;
    return { xml, line, column, ...(this.id !== undefined && { id: this.id }) };
  }

  get isOpen(): boolean {
    return this.#tag !== undefined;
  }

  /** Its name; until it is open as far as what is around it says. */
  get name(): ExpandedName {
    if (this.#tag !== undefined) return this.#tag;
    const colon = this.#name.indexOf(':');
    const prefix = this.#name.slice(0, Math.max(0, colon));
    const uri = this.#scope.namespaces.find(([bound]) => bound === prefix)?.[1] ?? '';
    return { uri, local: this.#name.slice(colon + 1) };
  }
}
