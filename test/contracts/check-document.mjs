import { readFileSync } from 'node:fs';
import asyncapi from '@asyncapi/parser';
import spectral from '@stoplight/spectral-core';
import rulesets from '@stoplight/spectral-rulesets';

// Prints what a public checker finds in a document, one finding a line: `check-document.mjs openapi FILE`
// takes the OpenAPI rules of Spectral, `asyncapi FILE` the AsyncAPI parser. A program of its own, as both are
// CommonJS that looks for modules by itself.

const [kind, file = ''] = process.argv.slice(2);
const text = readFileSync(file, 'utf8');

async function findings() {
  if (kind === 'asyncapi') return (await new asyncapi.Parser().parse(text)).diagnostics;
  const linter = new spectral.Spectral();
  linter.setRuleset({
    extends: [[rulesets.oas, 'all']],
    // There is nobody to be called, and one place to be told of faults.
    rules: { 'info-contact': 'off' },
  });
  return linter.run(JSON.parse(text));
}

for (const { code, path, message } of await findings())
  process.stdout.write(`${code} ${path.join('.')}: ${message}\n`);
