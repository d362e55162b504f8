import { Injectable } from '@nestjs/common';
import type { ArgumentMetadata, PipeTransform } from '@nestjs/common';
import { z } from 'zod';
import { checkInput } from './check-input.ts';

/** Holds every parameter against its `schema`. Throws `ProblemError` 400 with every fault and its path. */
@Injectable()
export class InputPipe implements PipeTransform {
  transform(value: unknown, metadata: ArgumentMetadata): unknown {
    const { schema } = metadata;
    return schema instanceof z.ZodType ? checkInput(schema, placeOf(metadata), value) : value;
  }
}

function placeOf({ type, data }: ArgumentMetadata): string {
  const part = type === 'param' ? 'path' : type;
  return data === undefined ? part : `${part}.${data}`;
}
