import { z } from 'zod';

/** What is recorded of a contract beside its schema. */
interface ContractNote {
  /** The name of the schema in the OpenAPI and AsyncAPI documents. */
  readonly id: string;
  /** Grows by one with every change that someone who relies on the schema may notice. */
  readonly version: number;
  /** A value that fits the schema. */
  readonly example: z.$input;
}

/** Every schema that others rely on: jobs, commands, events, and the bodies of HTTP. */
export const contracts = z.registry<ContractNote>();

/** A value as its schema describes it, and as nobody changes it. */
export type Immutable<Value> = Value extends readonly (infer Element)[]
  ? readonly Immutable<Element>[]
  : Value extends object
    ? { readonly [Name in keyof Value]: Immutable<Value[Name]> }
    : Value;

/** The type of what a schema describes. */
export type Described<Schema extends z.ZodType> = Immutable<z.infer<Schema>>;
