import { patchTypes } from '#contracts';
import type { Express, RequestHandler } from 'express';
import { ProblemError } from '../problems/problem-error.ts';

/** The part of a layer of Express's router that a path is held against. */
interface Layer {
  readonly route?: { readonly methods: Readonly<Record<string, boolean>> };
  match(path: string): boolean;
}

/**
 * Responds to OPTIONS with `Allow` (RFC 9110, 9.3.7), and refuses methods that a known path does not have.
 * @returns a handler that throws `ProblemError` 405 with `Allow`; a path that nothing is at passes
 */
export function checkMethod(express: Pick<Express, 'router'>): RequestHandler {
  const ofMethod = new Map<string, readonly Layer[]>();
  const layersOf = (method: string): readonly Layer[] => {
    const known = ofMethod.get(method);
    if (known !== undefined) return known;
    const wanted = method === 'HEAD' ? ['head', 'get'] : [method.toLowerCase()];
    const layers = layersIn(express).filter(({ route }) => wanted.some((name) => route?.methods[name]));
    // Others are a client's invention, of any number.
    if (layers.length > 0) ofMethod.set(method, layers);
    return layers;
  };
  return ({ method, path }, response, next) => {
    // Nearly every request has a route of its own method: the others are not held against its path.
    if (method !== 'OPTIONS' && layersOf(method).some((layer) => matches(layer, path))) return next();
    const allowed = allowedMethods(express, path);
    if (allowed.length === 0 || (method !== 'OPTIONS' && allowed.includes(method))) return next();
    const headers = {
      Allow: allowed.join(', '),
      ...(allowed.includes('PATCH') && { 'Accept-Patch': patchTypes.join(', ') }),
    };
    if (method === 'OPTIONS') return void response.status(204).set(headers).end();
    throw new ProblemError(
      405,
      'method-not-allowed',
      `${method} is not possible here, only ${headers.Allow}.`,
      {},
      headers,
    );
  };
}

/** The methods that a path has, in alphabetical order; none if there is no such path. */
function allowedMethods(express: Pick<Express, 'router'>, path: string): string[] {
  const found = new Set(
    layersIn(express).flatMap((layer) =>
      layer.route && matches(layer, path) ? Object.keys(layer.route.methods) : [],
    ),
  );
  const methods = [...found].map((method) => method.toUpperCase());
  return methods.length === 0
    ? []
    : [...new Set([...methods, 'OPTIONS', ...(found.has('get') ? ['HEAD'] : [])])]
        .filter((method) => method !== '_ALL')
        .sort();
}

/** Whether a route is at a path, also at one with a parameter that can't be decoded. */
function matches(layer: Layer, path: string): boolean {
  try {
    return layer.match(path);
  } catch {
    return true;
  }
}

function layersIn({ router }: Pick<Express, 'router'>): readonly Layer[] {
  return router.stack as unknown as readonly Layer[];
}
