import { applyDecorators, HttpCode, RequestMapping, RequestMethod } from '@nestjs/common';
import { operations } from '#contracts';
import type { OperationName } from '#contracts';

/**
 * Serves an operation of the contract, at its path and with its method. Returns the lowest status that the
 * operation has unless the handler sets another one.
 */
export function Route(name: OperationName): MethodDecorator {
  const { method, path, responses } = operations[name];
  return applyDecorators(
    RequestMapping({ path: expressPath(path), method: RequestMethod[method] }),
    HttpCode(Math.min(...Object.keys(responses).map(Number))),
  );
}

/** The path of an operation as Express writes it. */
export function expressPath(path: string): string {
  return path.replace(/\{(\w+)\}/g, ':$1');
}
