import { applyDecorators, Catch, Controller, UseFilters } from '@nestjs/common';
import type { RpcExceptionFilter } from '@nestjs/common';
import { throwError } from 'rxjs';
import type { Observable } from 'rxjs';

/**
 * Hands an error on as it is; Nest's own filter would turn it into "Internal server error", without message
 * or stack.
 */
@Catch()
class SameErrorFilter implements RpcExceptionFilter<unknown> {
  catch(error: unknown): Observable<never> {
    return throwError(() => error);
  }
}

/**
 * A controller whose handlers take messages: what they throw reaches the transport as it is. Use it instead
 * of `@Controller()`.
 */
export function MessageController(): ClassDecorator {
  return applyDecorators(Controller(), UseFilters(new SameErrorFilter()));
}
