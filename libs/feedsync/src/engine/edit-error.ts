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

/** An edit that would take `updates` or `sequence` past 2^31-1; its rule is `count-limit`. */
export class EditLimitError extends EditError {
  override readonly name = 'EditLimitError';

  constructor(message: string) {
    super('count-limit', message);
  }
}
