interface Operation {
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly example?: unknown }>> };
}

/** The part of an OpenAPI document that requests are made from. */
export interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

/** A request that an operation describes, with the example of its body. */
export interface SampleRequest {
  readonly method: string;
  readonly path: string;
  readonly type?: string;
  readonly body?: string;
}

/**
 * One request for each operation of an OpenAPI document, and one for each further media type that it takes.
 * @param parameters what stands in the paths, by the name of the parameter
 * @param documents bodies that are not JSON, by media type
 */
export function sampleRequests(
  { paths }: OpenApi,
  parameters: Readonly<Record<string, string>>,
  documents: Readonly<Record<string, string>>,
): SampleRequest[] {
  const named = (name: string): string => {
    const value = parameters[name];
    if (value === undefined) throw new Error(`there is no value for the parameter {${name}}`);
    return value;
  };
  const operations = Object.entries(paths).flatMap(([template, methods]) => {
    const path = template.replace(/\{(\w+)\}/g, (_match, name: string) => named(name));
    return Object.entries(methods).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      operation,
    }));
  });
  return operations.flatMap(({ method, path, operation }) => {
    if (!operation.requestBody) return [{ method, path }];
    return Object.entries(operation.requestBody.content).map(([type, { example }]) => {
      const body = documents[type] ?? JSON.stringify(example);
      return { method, path, type: type === '*/*' ? 'text/plain' : type, body };
    });
  });
}
