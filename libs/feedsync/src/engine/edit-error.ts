import { EditError } from '#core';

/** An edit that would take `updates` or `sequence` past 2^31-1; its rule is `count-limit`. */
export class EditLimitError extends EditError {
  override readonly name = 'EditLimitError';

  constructor(message: string) {
    super('count-limit', message);
  }
}
