import { Injectable, StandardSchemaValidationPipe } from '@nestjs/common';
import type { ArgumentMetadata } from '@nestjs/common';
import { invalidInput } from '../problems/problem-error.ts';
import { inputFaults } from './check-input.ts';

/** A parameter that breaks its schema, before it is known where in the request it stood. */
class SchemaError extends Error {
  override readonly name = 'SchemaError';
  constructor(readonly issues: Parameters<typeof inputFaults>[1]) {
    super('The value breaks its schema.');
  }
}

/** Holds every parameter against its `schema`. Throws `ProblemError` 400 with every fault and its path. */
@Injectable()
export class InputPipe extends StandardSchemaValidationPipe {
  constructor() {
    super({ exceptionFactory: (issues) => new SchemaError(issues) });
  }

  override async transform<Value>(value: Value, metadata: ArgumentMetadata): Promise<Value> {
    try {
      return await super.transform(value, metadata);
    } catch (error) {
      if (!(error instanceof SchemaError)) throw error;
      throw invalidInput(inputFaults(placeOf(metadata), error.issues));
    }
  }
}

function placeOf({ type, data }: ArgumentMetadata): string {
  const part = type === 'param' ? 'path' : type;
  return data === undefined ? part : `${part}.${data}`;
}
