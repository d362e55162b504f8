import { applyDecorators, Catch, Controller, SetMetadata, UseFilters } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { RpcExceptionFilter, Type } from '@nestjs/common';
import { throwError } from 'rxjs';
import type { Observable } from 'rxjs';
import type { WorkQueue } from './job-check.ts';

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

const concurrencies = Symbol('concurrencies');

/** The setting that says how many jobs of a queue a process works on at the same time, by queue. */
type Concurrencies = Readonly<Partial<Record<WorkQueue, string>>>;

/**
 * A controller whose handlers take messages: what they throw reaches the transport as it is. Use it instead
 * of `@Controller()`.
 * @param settings of the queues whose jobs it takes
 */
export function MessageController(settings: Concurrencies = {}): ClassDecorator {
  return applyDecorators(
    Controller(),
    UseFilters(new SameErrorFilter()),
    SetMetadata(concurrencies, settings),
  );
}

/** The queues whose jobs these controllers take, each with its setting. */
export function queuesOf(controllers: readonly Type[]): Concurrencies {
  const reflector = new Reflector();
  return Object.assign(
    {},
    ...controllers.map((one) => reflector.get<unknown>(concurrencies, one)),
  ) as Concurrencies;
}
