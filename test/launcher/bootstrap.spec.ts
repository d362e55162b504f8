import { execFileSync, spawnSync } from 'node:child_process';
import {
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { temporaryFolder } from './temporary-folder.ts';

const folder = temporaryFolder();
const root = join(folder, 'clone');

function write(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

function packageLock(version: string): string {
  return JSON.stringify({
    packages: {
      '': {},
      'node_modules/a': { version },
      'node_modules/other-system': { version: '1.0.0', optional: true },
    },
  });
}

/** What stands in for npm: it "installs" programs that say on stdout what they do, as the real ones do. */
const npm = `
import { copyFileSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
console.log('npm', process.argv[2]);
const lock = JSON.parse(readFileSync('package-lock.json', 'utf8'));
delete lock.packages['node_modules/other-system'];
cpSync('stand-ins', 'node_modules', { recursive: true });
writeFileSync('node_modules/.package-lock.json', JSON.stringify(lock));
`;
const compiler = `
const { cpSync } = require('node:fs');
if (process.argv[3] === 'tsconfig.build.json') {
  console.log('tsc');
  cpSync('apps', 'dist/apps', { recursive: true });
}
`;
const cli = `
process.stdin.on('data', (bytes) => process.stdout.write('in: ' + bytes));
process.stdin.on('end', () => { console.log(process.argv.slice(2).join(' ')); process.exitCode = 3; });
`;

beforeEach(() => {
  rmSync(root, { recursive: true, force: true });
  write('package-lock.json', packageLock('1.0.0'));
  write('package.json', '{"type":"module"}');
  for (const file of ['tsconfig.json', 'tsconfig.build.json']) write(file, '{}');
  write('libs/item.ts', '');
  write('apps/cli/src/main.js', cli);
  write('stand-ins/package.json', '{"type":"commonjs"}');
  write('stand-ins/oxfmt/bin/oxfmt', '');
  write('stand-ins/oxlint/bin/oxlint', 'process.exitCode = require("node:fs").existsSync("planted") ? 1 : 0');
  write('stand-ins/@typescript/native/bin/tsc', compiler);
  write('npm.js', npm);
  mkdirSync(join(root, 'apps/standalone'), { recursive: true });
  copyFileSync(
    fileURLToPath(new URL('../../apps/standalone/bootstrap.mjs', import.meta.url)),
    join(root, 'apps/standalone/bootstrap.mjs'),
  );
});

function bootstrap(args: string[], input = ''): { status: number | null; stdout: string; stderr: string } {
  const env = { ...process.env, NODE_OPTIONS: '', npm_execpath: join(root, 'npm.js') };
  return spawnSync(process.execPath, [join(root, 'apps/standalone/bootstrap.mjs'), ...args], {
    cwd: folder,
    env,
    input,
    encoding: 'utf8',
  });
}

/** What the bootstrap itself has said. */
function steps({ stderr }: { stderr: string }): string[] {
  return stderr.split('\n').filter((line) => line.startsWith('[feedmesh]'));
}

const installing = '[feedmesh] installing the packages of package-lock.json (npm ci)';
const building = '[feedmesh] building (tsc)';

describe('a fresh clone', () => {
  test('is installed and built at the first run only; stdout has only the output of the program', () => {
    const first = bootstrap(['feedmesh', 'merge', 'a.xml'], 'feed');
    expect(first).toEqual({ ...first, status: 3, stdout: 'in: feedmerge a.xml\n' });
    expect(steps(first)).toEqual([installing, building]);
    const second = bootstrap(['feedmesh', 'ls']);
    expect(second).toEqual({ ...second, status: 3, stdout: 'ls\n', stderr: '' });
  });

  test('is installed again when package-lock.json requires other packages', () => {
    bootstrap(['feedmesh']);
    write('package-lock.json', packageLock('1.0.1'));
    expect(steps(bootstrap(['feedmesh']))).toEqual([installing, building]);
    expect(readFileSync(join(root, 'node_modules/.package-lock.json'), 'utf8')).toContain('1.0.1');
  });

  test('is built again when a source is changed, added or removed', () => {
    bootstrap(['feedmesh']);
    utimesSync(join(root, 'libs/item.ts'), new Date(), new Date(Date.now() - 60_000));
    expect(steps(bootstrap(['feedmesh']))).toEqual([building]);
    write('libs/feed.ts', '');
    expect(steps(bootstrap(['feedmesh']))).toEqual([building]);
    rmSync(join(root, 'libs/feed.ts'));
    expect(steps(bootstrap(['feedmesh']))).toEqual([building]);
    expect(steps(bootstrap(['feedmesh']))).toEqual([]);
  });

  test('keeps nothing in dist that was built from a source which no longer exists', () => {
    for (const file of ['gone.js', 'gone.js.map', 'gone.d.ts', 'item.js']) write(`dist/libs/${file}`, '');
    bootstrap(['feedmesh']);
    expect(readdirSync(join(root, 'dist/libs'))).toEqual(['item.js']);
  });

  test('whose installation fails says so and ends with 1', () => {
    write('npm.js', 'process.exit(9)');
    const failed = bootstrap(['feedmesh']);
    expect(failed).toEqual({ ...failed, status: 1, stdout: '' });
    expect(steps(failed)).toEqual([installing, '[feedmesh] npm ci has failed (exit code 9)']);
  });
});

describe('npm test', () => {
  /** What stands in for the databases, and for jest or the benchmark. */
  function jestSays(...lines: string[]): void {
    const [exitCode, ...output] = lines;
    const said = output.map((line) => `console.log(${JSON.stringify(line)});`).join('');
    write(
      'apps/standalone/src/with-databases.js',
      `if (process.argv[3].endsWith('bench/main.js')) {
        console.log('benchmark', ...process.argv.slice(4));
        process.exitCode = ${benchCode};
      } else {
        ${said} console.error('databases stopped');
        process.exitCode = ${exitCode};
      }`,
    );
  }

  /** What the benchmark ends with. */
  let benchCode = 0;
  afterEach(() => {
    benchCode = 0;
  });

  /** The rows of the short form, and what grows, which is counted beside them and shown after them. */
  const measured =
    'benchmark --short --uncounted --rounds 1 --size 0.02\n' +
    'benchmark --short --row growth --out .feedmesh/bench/growth\n';

  test('ends with the closing line and the exit code of jest', () => {
    jestSays('1', '7 passed, 2 failed', 'said afterwards');
    const run = bootstrap(['test']);
    expect(run.status).toBe(1);
    expect(run.stdout.endsWith('said afterwards\n7 passed, 2 failed\n')).toBe(true);
    jestSays('0', '9 passed, 0 failed');
    rmSync(join(root, 'dist'), { recursive: true });
    const green = bootstrap(['test', 'libs/xml']);
    expect(green).toEqual({ ...green, status: 0, stdout: '9 passed, 0 failed\n' });
  });

  test('measures afterwards if that is requested', () => {
    jestSays('1', '7 passed, 2 failed', 'said afterwards');
    const run = bootstrap(['test', '--with-benchmark']);
    expect(run.status).toBe(1);
    expect(run.stdout.endsWith(`said afterwards\n${measured}7 passed, 2 failed\n`)).toBe(true);
  });

  test('has one failure more if a row of the benchmark could not be measured', () => {
    benchCode = 1;
    jestSays('0', '9 passed, 0 failed');
    const run = bootstrap(['test', '--with-benchmark']);
    expect(run).toEqual({ ...run, status: 1, stdout: `${measured}9 passed, 1 failed\n` });
  });

  test('that never gets to its tests is one failure', () => {
    jestSays('1');
    const run = bootstrap(['test']);
    expect(run).toEqual({ ...run, status: 1, stdout: '0 passed, 1 failed\n' });
  });

  test('is one failure if lint finds something, and no test is run', () => {
    jestSays('0', '9 passed, 0 failed');
    write('planted', '');
    const run = bootstrap(['test']);
    expect(run).toEqual({ ...run, status: 1, stdout: '0 passed, 1 failed\n' });
    expect(steps(run).at(-1)).toBe('[feedmesh] lint has failed (exit code 1)');
  });
});

test('the closing line counts a test file that could not be run as a failure', () => {
  const reporter = new URL('../support/closing-line-reporter.mjs', import.meta.url).href;
  const program =
    `import Reporter from '${reporter}'; new Reporter().onRunComplete(` +
    'new Set(), { numPassedTests: 5, numFailedTests: 1, numRuntimeErrorTestSuites: 2 });';
  expect(
    execFileSync(process.execPath, ['--input-type=module', '-e', program], {
      encoding: 'utf8',
      env: { ...process.env, NODE_OPTIONS: '' },
    }),
  ).toBe('5 passed, 3 failed\n');
});
