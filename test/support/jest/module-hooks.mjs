import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { transform } from '@swc/core';

const tests = new URL('../../', import.meta.url).href;
const globals = new URL('globals.mjs', import.meta.url).href;

/** The product's sources in place of what is built, and modules of its own below test/ for each test file. */
export async function resolve(specifier, context, next) {
  const file = context.parentURL?.match(/\?file=\d+$/)?.[0] ?? '';
  if (specifier === '@jest/globals') return { url: globals + file, shortCircuit: true };
  const conditions = [...context.conditions, 'feedmesh-source'];
  const found = await next(specifier, { ...context, conditions });
  if (!file || found.url.includes('?')) return found;
  return found.url.startsWith(tests) ? { ...found, url: found.url + file } : found;
}

/** What is below test/ is loaded anew for each test file, but not translated anew. */
const translated = new Map();

export async function load(url, context, next) {
  const { pathname } = new URL(url);
  if (!pathname.endsWith('.ts')) return next(url, context);
  const filename = fileURLToPath(url);
  if (!translated.has(filename)) translated.set(filename, translate(filename));
  return { format: 'module', source: await translated.get(filename), shortCircuit: true };
}

async function translate(filename) {
  const { code } = await transform(await readFile(filename, 'utf8'), { filename, sourceMaps: 'inline' });
  return code;
}
