import type { Breach, Fragment } from '#feed-xml';

/** Something that could not be taken in, with its reason, kept until it is retried or removed. */
export interface DeadLetter {
  /** The same for the same content from the same place, so that a repeated delivery adds nothing. */
  readonly id: string;
  /** Empty where a command named none. */
  readonly collection: string;
  readonly subscription?: string;
  readonly kind: 'item' | 'command';
  readonly fragment?: Fragment;
  readonly command?: { readonly name: string; readonly data: unknown };
  readonly breaches: readonly Breach[];
  readonly at: Date;
}

export interface DeadLetterStore {
  add(letters: readonly DeadLetter[]): Promise<void>;
  /** In ascending order of id. */
  list(page: { collection?: string; after?: string; limit: number }): Promise<DeadLetter[]>;
  find(id: string): Promise<DeadLetter | undefined>;
  remove(id: string): Promise<boolean>;
}
