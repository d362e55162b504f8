/** What part of the time a fetcher looks at all that is due. */
const share = 1 / 20;

/** Milliseconds after which it does so in any case. */
const longestPause = 5000;

/** Milliseconds before what the last look found, at which the next one begins. */
const margin = 1000;

/**
 * Decides from which due time on a fetcher looks for subscriptions.
 *
 * A database keeps what has left an index for minutes, and a look that begins at the lower end reads over it:
 * with hundreds of polls a second that takes longer than all else. So most looks begin where the last one
 * found something. What they leave out, such as what a host that was busy has, or what another clock made
 * due, is found by those that look at everything, which come the more often, the less they cost.
 */
export class DueFrom {
  #from: Date | undefined;
  /** When the next look is at everything. */
  #allFrom = -Infinity;

  /** Returns from which due time on to look; undefined for everything. */
  at(now: Date): Date | undefined {
    return now.getTime() >= this.#allFrom ? undefined : this.#from;
  }

  /**
   * Notes a look.
   * @param from what `at` returned for it
   * @param earliest when the longest overdue that it found was due
   */
  note(from: Date | undefined, begun: Date, ended: Date, earliest = begun): void {
    const time = ended.getTime();
    if (from === undefined)
      this.#allFrom = time + Math.min((time - begun.getTime()) * (1 / share - 1), longestPause);
    this.#from = new Date(earliest.getTime() - margin);
  }
}
