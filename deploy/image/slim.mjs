// Removes from an installed application the files that no service reads while it runs: source maps, types,
// tests, documentation. Licenses stay. The Dockerfile runs it; it is not in the image.
//   node slim.mjs FOLDER    FOLDER holds node_modules and dist
import { lstatSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const unusedFiles = [
  /\.map$/,
  /\.[cm]?ts$/,
  /\.tsbuildinfo$/,
  /\/(?!licen[cs]e|notice|copying)[^/]*\.(md|markdown)$/i,
  // Swagger UI is served from `swagger-ui-bundle.js`; these are the same for bundlers.
  /\/swagger-ui-dist\/swagger-ui(-es-bundle(-core)?)?\.js$/,
];

/** Folders at the top of a package, `node_modules/name` or `node_modules/@scope/name`. */
const unusedFolders = /(^|\/)node_modules\/(@[^/]+\/)?[^/@]+\/(tests?|__tests__|docs|examples?|benchmarks?)$/;

const folder = process.argv[2];
if (folder === undefined) throw new Error('usage: node slim.mjs FOLDER');

const before = sizeOf(folder);
for (const path of pathsIn(folder)) {
  const unused = isFolder(path) ? [unusedFolders] : unusedFiles;
  if (unused.some((pattern) => pattern.test(`/${path}`)))
    rmSync(join(folder, path), { recursive: true, force: true });
}
process.stdout.write(`slim: ${megabytes(before)} MB before, ${megabytes(sizeOf(folder))} MB now\n`);

function pathsIn(root) {
  return readdirSync(root, { recursive: true, encoding: 'utf8' });
}

function isFolder(path) {
  return lstatSync(join(folder, path), { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/** Bytes of all files. */
function sizeOf(root) {
  return pathsIn(root)
    .map((path) => lstatSync(join(root, path)))
    .reduce((sum, entry) => sum + (entry.isFile() ? entry.size : 0), 0);
}

function megabytes(bytes) {
  return (bytes / 1e6).toFixed(1);
}
