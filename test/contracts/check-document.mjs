import { readFileSync } from 'node:fs';
import asyncapi from '@asyncapi/parser';
import spectral from '@stoplight/spectral-core';
import rulesets from '@stoplight/spectral-rulesets';

// Prints what a public checker finds in each of some documents, one line of JSON a document:
// `check-document.mjs openapi FILE asyncapi FILE …` takes the OpenAPI rules of Spectral for one and the
// AsyncAPI parser for the other. A program of its own, as both are CommonJS that looks for modules by itself.

const documents = process.argv.slice(2);

async function findings(kind, file) {
  const text = readFileSync(file, 'utf8');
  if (kind === 'asyncapi') return (await new asyncapi.Parser().parse(text)).diagnostics;
  const linter = new spectral.Spectral();
  linter.setRuleset({
    extends: [[rulesets.oas, 'all']],
    // There is nobody to be called, and one place to report faults.
    rules: { 'info-contact': 'off' },
  });
  return linter.run(JSON.parse(text));
}

for (let index = 0; index < documents.length; index += 2) {
  const found = await findings(documents[index], documents[index + 1]);
  const lines = found.map(({ code, path, message }) => `${code} ${path.join('.')}: ${message}`);
  process.stdout.write(`${JSON.stringify(lines)}\n`);
}
