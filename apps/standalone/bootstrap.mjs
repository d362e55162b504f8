// The entry of every npm script, in plain JavaScript: on a fresh clone nothing is installed or built when it
// starts.
//   start                             the four services, with databases
//   test [JEST ARGUMENTS]             layout, lint, type check and all tests; with --with-benchmark the
//                                     short form of the benchmark after them; the last line on stdout is
//                                     `N passed, N failed`
//   prepack                           what `npm pack` puts into the package: the built programs and the types
//                                     of its exports
//   feedmesh ARGUMENTS                the command line; nothing but its own output on stdout
//   run [--databases] FILE ARGUMENTS  a built program, with databases of its own if requested
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, rmSync, statSync, statfsSync, writeFileSync } from 'node:fs';
import { freemem, userInfo } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const here = (...parts) => join(root, ...parts);
const withDatabases = here('dist/apps/standalone/src/with-databases.js');
const say = (line) => process.stderr.write(`[feedmesh] ${line}\n`);

class SetUpError extends Error {}

function assertNodeVersion() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major < 20 || (major === 20 && minor < 19))
    throw new SetUpError(`Node 20.19 or later is needed, this is ${process.versions.node}`);
}

/**
 * Whether node_modules holds what package-lock.json says, by npm's own record; what is optional may be
 * missing.
 */
function isInstalled() {
  const wanted = JSON.parse(readFileSync(here('package-lock.json'), 'utf8')).packages;
  let found;
  try {
    found = JSON.parse(readFileSync(here('node_modules/.package-lock.json'), 'utf8')).packages;
  } catch {
    return false;
  }
  return Object.entries(wanted).every(
    ([path, { version, optional, devOptional }]) =>
      path === '' || (found[path] ? found[path].version === version : Boolean(optional ?? devOptional)),
  );
}

async function install() {
  if (isInstalled()) return;
  say('installing the packages of package-lock.json (npm ci)');
  const npm = process.env.npm_execpath;
  const command = npm?.endsWith('.js') ? [process.execPath, npm] : ['npm'];
  const code = await run([...command, 'ci', '--include=dev', '--loglevel=error', '--no-audit', '--no-fund'], {
    stdout: process.stderr,
  });
  if (code !== 0) throw new SetUpError(`npm ci has failed (exit code ${code})`);
}

/** Changes whenever a source or a setting of the build does. */
function sourceDigest() {
  const digest = createHash('sha256');
  for (const folder of ['apps', 'libs', 'tools', 'test'].filter((path) => existsSync(here(path)))) {
    const sources = readdirSync(here(folder), { recursive: true, encoding: 'utf8' }).filter(
      (path) => path.endsWith('.ts') && !path.endsWith('.spec.ts'),
    );
    for (const path of sources.sort()) digest.update(fingerprint(join(folder, path)));
  }
  for (const path of ['tsconfig.json', 'tsconfig.build.json', 'package-lock.json'])
    digest.update(fingerprint(path));
  return digest.digest('hex');
}

function fingerprint(path) {
  const { size, mtimeMs } = statSync(here(path));
  return `${path}\0${size}\0${mtimeMs}\n`;
}

async function build() {
  const marker = here('dist/.built-from');
  const digest = sourceDigest();
  if (readOrEmpty(marker) === digest) return;
  say('building (tsc)');
  const code = await compile('tsconfig.build.json');
  if (code !== 0) throw new SetUpError(`the build has failed (exit code ${code})`);
  removeStaleOutput();
  writeFileSync(marker, digest);
}

/** Runs the compiler, which checks types as well unless the settings say otherwise; answers its exit code. */
function compile(settings) {
  return run([process.execPath, here('node_modules/@typescript/native/bin/tsc'), '-p', settings], {
    stdout: process.stderr,
  });
}

/** Removes what was built from a source that no longer exists, so that no package contains it. */
function removeStaleOutput() {
  for (const path of readdirSync(here('dist'), { recursive: true, encoding: 'utf8' })) {
    const source = path.replace(/\.(?:js(?:\.map)?|d\.ts)$/, '');
    if (source !== path && !existsSync(here(`${source}.ts`)) && !existsSync(here(`${source}.js`)))
      rmSync(here('dist', path));
  }
}

/** Writes the declaration files of the package's exports into dist. */
async function writeTypes() {
  const code = await compile('tsconfig.types.json');
  if (code !== 0) throw new SetUpError(`writing the types of the package has failed (exit code ${code})`);
}

function readOrEmpty(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

/**
 * Runs a program in a process group of its own to its end, and answers its exit code. When this process is
 * asked to end, so is the whole group.
 */
function run([program, ...args], { stdout = 'inherit', environment = process.env } = {}) {
  const stdio = ['inherit', stdout, 'inherit'];
  const child = spawn(program, args, { cwd: root, env: environment, stdio, detached: true });
  return watch(child, () => process.kill(-child.pid, 'SIGTERM'));
}

const ends = ['SIGTERM', 'SIGINT', 'SIGHUP'];

function watch(child, end = () => child.kill('SIGTERM')) {
  const pass = () => {
    try {
      end();
    } catch {
      // It has ended in the meantime.
    }
  };
  for (const name of ends) process.on(name, pass);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      for (const name of ends) process.off(name, pass);
      resolve(code ?? 1);
    });
  });
}

/** Runs a built program in this very process, so that stdin, signals and the exit code are its own. */
async function become(file, args) {
  process.argv = [process.execPath, file, ...args];
  await import(pathToFileURL(file).href);
}

/** A file system in memory that Linux has. */
const memory = '/dev/shm';
/** What must be free for the databases of the tests, of the file system and of the memory, in bytes. */
const neededMemory = 6 * 2 ** 30;

/**
 * Where the databases of the tests have their data: in memory if there is enough of it, since each
 * acknowledged write waits for the disk otherwise. What a process that is killed has written stays in both.
 */
function testData() {
  if (process.env.FEEDMESH_DATA) return process.env.FEEDMESH_DATA;
  try {
    const { bavail, bsize } = statfsSync(memory);
    if (Math.min(bavail * bsize, freemem()) < neededMemory) return undefined;
  } catch {
    return undefined;
  }
  return join(memory, `feedmesh-tests-${userInfo().uid}`);
}

const closingLine = /^\d+ passed, \d+ failed$/;

/** Jest, with its closing line held back until everything has ended. Answers exit code and closing line. */
async function jest(args) {
  const data = testData();
  const environment = { ...process.env, ...(data && { FEEDMESH_DATA: data }) };
  // Tests create much that is gone at once: with more memory for it, less is copied. What they start does not
  // have this option, as it would with NODE_OPTIONS.
  const program = [process.execPath, '--max-semi-space-size=64', here('node_modules/jest/bin/jest.js')];
  const child = spawn(process.execPath, [withDatabases, ...program, ...args], {
    cwd: root,
    env: environment,
    stdio: ['inherit', 'pipe', 'inherit'],
  });
  let closing;
  createInterface(child.stdout).on('line', (line) => {
    if (closingLine.test(line)) closing = line;
    else console.log(line);
  });
  return { code: await watch(child), closing };
}

/**
 * The short form of the benchmark: the rows in their smallest size, and beside them what is counted, which
 * measures no time. It prints and judges nothing; what can't be measured is one more failure.
 */
async function bench({ code, closing }) {
  say('the short form of the benchmark');
  const program = [withDatabases, process.execPath, here('dist/test/bench/main.js'), '--short'];
  const growth = ['--row', 'growth', '--out', '.feedmesh/bench/growth'];
  const counting = spawn(process.execPath, [...program, ...growth], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [counts, ...codes] = await Promise.all([
    text(counting.stdout),
    watch(counting),
    run([process.execPath, ...program, '--uncounted', '--rounds', '1', '--size', '0.02']),
  ]);
  process.stdout.write(counts);
  if (codes.every((ended) => ended === 0)) return { code, closing };
  return { code: 1, closing: closing.replace(/\d+(?= failed$)/, (failed) => String(Number(failed) + 1)) };
}

async function test(args) {
  const tests = args.filter((argument) => argument !== '--with-benchmark');
  let result = { code: 1 };
  try {
    await install();
    const checks = {
      layout: ['node_modules/oxfmt/bin/oxfmt', '--check', '.'],
      lint: ['node_modules/oxlint/bin/oxlint', '--type-aware'],
      // Each further thread checks again what several files use.
      'type check': ['node_modules/@typescript/native/bin/tsc', '-p', '.', '--noEmit', '--singleThreaded'],
    };
    const steps = Object.entries(checks).map(async ([name, [file, ...rest]]) => {
      say(name);
      const code = await run([process.execPath, here(file), ...rest]);
      if (code !== 0) throw new SetUpError(`${name} has failed (exit code ${code})`);
    });
    const failed = (await Promise.allSettled([...steps, build()])).find(({ reason }) => reason);
    if (failed) throw failed.reason;
    result = await jest(tests);
    if (tests.length < args.length && result.closing) result = await bench(result);
  } catch (error) {
    if (!(error instanceof SetUpError)) throw error;
    say(error.message);
  }
  const { code, closing } = result;
  if (closing || code !== 0) console.log(closing ?? '0 passed, 1 failed');
  process.exitCode = code;
}

async function main([command, ...args]) {
  assertNodeVersion();
  if (command === 'test') return test(args);
  await install();
  await build();
  if (command === 'prepack') return writeTypes();
  if (command === 'start') return become(here('dist/apps/standalone/src/main.js'), args);
  if (command === 'feedmesh') return become(here('dist/apps/cli/src/main.js'), args);
  if (command === 'run' && args[0] === '--databases')
    return become(withDatabases, [process.execPath, ...args.slice(1)]);
  if (command === 'run' && args[0]) return become(here(args[0]), args.slice(1));
  throw new SetUpError('usage: bootstrap.mjs start | test | prepack | feedmesh | run [--databases] FILE');
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof SetUpError)) throw error;
  say(error.message);
  process.exitCode = 1;
}
