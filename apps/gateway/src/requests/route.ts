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
    RequestMapping({ path: path.replace(/\{(\w+)\}/g, ':$1'), method: RequestMethod[method] }),
    HttpCode(Math.min(...Object.keys(responses).map(Number))),
  );
}
