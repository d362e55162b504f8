import { EventEmitter } from 'node:events';

/** Ends a request, as an `AbortSignal` does, without an event target and an error for each request. */
export class EndSignal extends EventEmitter {
  aborted = false;
  reason: Error | undefined;

  /** @param reason what a pending read fails with; an error of undici's if absent */
  abort(reason?: Error): void {
    if (this.aborted) return;
    this.aborted = true;
    this.reason = reason;
    this.emit('abort');
  }
}
