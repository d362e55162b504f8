/** A local edit that is refused; nothing was changed. */
export class EditError extends Error {
  override readonly name: string = 'EditError';
  /**
   * Of an edit that would write an invalid `sx:sync`: `sync-id-syntax`, `history-when-or-by`,
   * `history-when-syntax`, `history-by-syntax` or `count-limit`; others say what else speaks against it.
   */
  readonly rule: string;

  constructor(rule: string, message: string) {
    super(message);
    this.rule = rule;
  }
}
