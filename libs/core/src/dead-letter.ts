import { createHash } from 'node:crypto';
import type { Violation, Fragment } from '#xml';
import { nameOf } from '#contracts';
import type { CollectionKey, SubscriptionId } from '#contracts';
import { storedSize } from './stored-size.ts';

/** Something that could not be taken in, with its reason, kept until it is retried or removed. */
export interface DeadLetter {
  /** The same for the same content from the same place, so that a repeated delivery adds nothing. */
  readonly id: string;
  /** Empty if a command named none. */
  readonly collection: CollectionKey;
  readonly subscription?: SubscriptionId;
  readonly kind: 'item' | 'command';
  readonly fragment?: Fragment;
  readonly command?: { readonly name: string; readonly data: unknown };
  readonly violations: readonly Violation[];
  readonly at: Date;
  /**
   * That it was too large to be kept whole: the XML of its fragment, or the data of its command, is left out,
   * so that it can't be retried.
   */
  readonly isPartial?: true;
}

/**
 * The id of the letter of an item that a subscription has brought.
 * @param content what the item is, or a digest of it
 */
export function itemLetterId(
  collection: CollectionKey,
  subscription: SubscriptionId,
  content: string,
): string {
  const digest = createHash('sha256').update(`${collection}\n${subscription}\n${content}`).digest('hex');
  return `${nameOf(collection)}.${digest.slice(0, 32)}`;
}

/** How many violations of a letter are kept, the errors among them first. */
const maximumViolations = 100;

/**
 * How many bytes a letter may take in the store, which are a mebibyte less than MongoDB takes as one
 * document.
 */
const maximumLetterBytes = 15_728_640;

/**
 * A letter as it can be kept: with the first of its violations, and without what it is of if that alone is
 * too large.
 * @param limit in bytes, for tests
 */
export function storableLetter(
  { fragment, command, ...letter }: DeadLetter,
  limit = maximumLetterBytes,
): DeadLetter {
  const isError = ({ severity }: Violation): boolean => severity === 'error';
  const violations = [
    ...letter.violations.filter(isError),
    ...letter.violations.filter((violation) => !isError(violation)),
  ].slice(0, maximumViolations);
  const whole = { ...letter, violations, ...(fragment && { fragment }), ...(command && { command }) };
  const length = (fragment?.xml.length ?? 0) + (command === undefined ? 0 : JSON.stringify(command).length);
  if (length <= limit && storedSize({ ...whole, command: command && JSON.stringify(command) }) <= limit)
    return whole;
  return {
    ...letter,
    violations,
    isPartial: true,
    ...(fragment && { fragment: { ...fragment, xml: '' } }),
    ...(command && { command: { ...command, data: null } }),
  };
}

/** How many items of a subscription are in the dead letters for one reason. */
export interface RejectedItems {
  readonly collection: CollectionKey;
  readonly subscription: SubscriptionId;
  readonly items: number;
}

export interface DeadLetterStore {
  /** Adds each once, as `storableLetter` says. */
  add(letters: readonly DeadLetter[]): Promise<void>;
  /** In ascending order of id; with `rule` those that this rule was broken for. */
  list(page: {
    collection?: CollectionKey;
    rule?: string;
    after?: string;
    limit: number;
  }): Promise<DeadLetter[]>;
  /**
   * How many items were rejected because of a rule, for each subscription, in ascending order of collection
   * and subscription.
   */
  rejected(rule: string, collection?: CollectionKey): Promise<RejectedItems[]>;
  find(id: string): Promise<DeadLetter | undefined>;
  remove(id: string): Promise<boolean>;
}
