/**
 * When a feed has changed, as far as a subscription knows. It is written when the feed is found changed and
 * at no other time: what was not seen to change is counted from the times.
 */
export interface Rhythm {
  /** From when on its changes are known. */
  readonly since: Date;
  /** The time that the weights below are for: the last change that is counted. */
  readonly at: Date;
  /** How many changes there were; each weighs less the longer ago it was. */
  readonly changes: number;
  /** The same of the last few hours. */
  readonly recent: number;
  /**
   * Which parts of them were in each hour of the day, then on each day of the week from Sunday on (UTC):
   * 31 numbers of three digits to the base of 64.
   */
  readonly week: string;
}
