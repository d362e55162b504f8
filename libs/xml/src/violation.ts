/** One place where a document departs from a rule. */
export interface Violation {
  /** A short name that stays the same over versions, such as `sync-updates-range`. */
  readonly rule: string;
  /** The section of the specification, such as `FeedSync 2.4`. */
  readonly section: string;
  /** One sentence: what was found, what is allowed. */
  readonly message: string;
  /** `error`: the item or feed is refused. `warning`: it is taken in all the same. */
  readonly severity: 'error' | 'warning';
  /** From 1. */
  readonly line: number;
  readonly column: number;
}

/** How long a message may be, in UTF-16 code units: names and values of a document may be as long as that. */
const maximumMessageLength = 1000;

/** A message that can be kept, cut if it is too long. */
export function boundedMessage(message: string): string {
  return message.length > maximumMessageLength ? `${message.slice(0, maximumMessageLength)}…` : message;
}

/** A rule that a document can break. */
export interface Rule {
  /** Where it stands, such as `FeedSync 2.4`. */
  readonly section: string;
  /**
   * `error` if an item that breaks it can't be merged safely; `warning` if it is taken in all the same.
   */
  readonly severity: Violation['severity'];
}

/** Makes the rules of a specification from the sections that they stand in. */
export function rulesOf(specification: string): Record<Violation['severity'], (section: string) => Rule> {
  const of = (severity: Violation['severity']) => (section: string) => ({
    section: `${specification} ${section}`,
    severity,
  });
  return { error: of('error'), warning: of('warning') };
}
