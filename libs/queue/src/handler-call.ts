import { types } from 'node:util';
import type { BaseRpcContext, MessageHandler } from '@nestjs/microservices';
import { isObservable, lastValueFrom } from 'rxjs';

/**
 * Calls a Nest handler and waits until it has finished, with everything it started through an observable.
 * Throws what the handler threw; if Nest's default filter has replaced that, an error that says how to see
 * it.
 */
export async function finishHandler(
  handler: MessageHandler,
  data: unknown,
  context: BaseRpcContext,
): Promise<void> {
  try {
    const result: unknown = await handler(data, context);
    if (isObservable(result)) await lastValueFrom(result, { defaultValue: undefined });
  } catch (thrown) {
    if (thrown instanceof Error || types.isNativeError(thrown)) throw thrown;
    throw new Error(
      `the handler threw ${JSON.stringify(thrown)}; with @MessageController() its errors arrive as ` +
        'themselves',
      { cause: thrown },
    );
  }
}
