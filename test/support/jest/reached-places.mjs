import { appendFileSync, readFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { findSourceMap } from 'node:module';
import { fileURLToPath } from 'node:url';

/**
 * Records which places of the source each test file runs, for test/mutants. The places are in a JSON file,
 * `[{ file, line, column, isInFunction }]`, counted from 0; in another one, whose name ends with `.reached`,
 * each test file gets a line of JSON: its path, the seconds that it took, and the numbers of its places.
 */
export class ReachedPlaces {
  #file;
  #session = new Session();
  /** The places of each source file. */
  #places = new Map();
  /** Where they are in the code that runs, by the address of the module. */
  #positions = new Map();
  #start = 0;

  constructor(file) {
    this.#file = file;
    const places = JSON.parse(readFileSync(file, 'utf8'));
    for (const [number, place] of places.entries())
      this.#places.set(place.file, [...(this.#places.get(place.file) ?? []), { ...place, number }]);
    this.#session.connect();
  }

  /**
   * Counting is never stopped: V8 would drop the blocks of the functions that it knows, and count only their
   * calls in the next file. To start again changes nothing; to take the counts sets them to 0.
   */
  async begin() {
    await this.#session.post('Profiler.enable');
    await this.#session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
    await this.#session.post('Profiler.takePreciseCoverage');
    this.#start = performance.now();
  }

  async end(path) {
    const seconds = (performance.now() - this.#start) / 1000;
    const { result } = await this.#session.post('Profiler.takePreciseCoverage');
    const reached = result.flatMap((script) => this.#reachedIn(script));
    appendFileSync(`${this.#file}.reached`, `${JSON.stringify({ path, seconds, reached })}\n`);
  }

  #reachedIn({ url, functions }) {
    const places = url.startsWith('file:') ? this.#places.get(fileURLToPath(url)) : undefined;
    if (places === undefined) return [];
    if (!this.#positions.has(url)) this.#positions.set(url, positionsOf(url, places));
    return this.#positions
      .get(url)
      .filter((position) => isReached(functions, position))
      .map(({ number }) => number);
  }
}

/** A module is loaded once for all files of a worker: what runs then counts for each file that uses it. */
function isReached(functions, { offset, isInFunction }) {
  if (!isInFunction) return true;
  const [innermost] = functions
    .flatMap(({ ranges }) => ranges)
    .filter(({ startOffset, endOffset }) => startOffset <= offset && offset < endOffset)
    .toSorted((a, b) => a.endOffset - a.startOffset - (b.endOffset - b.startOffset));
  return innermost !== undefined && innermost.count > 0;
}

/** Where the code of each place begins, in characters of the module. */
function positionsOf(url, places) {
  const map = findSourceMap(url);
  const starts = new Map();
  let lineStart = 0;
  for (const [line, length] of map.lineLengths.entries()) {
    for (let column = 0; column < length; column += 1) {
      const entry = map.findEntry(line, column);
      if (entry.generatedLine !== line || entry.generatedColumn !== column) continue;
      const known = starts.get(entry.originalLine) ?? [];
      starts.set(entry.originalLine, [
        ...known,
        { column: entry.originalColumn, offset: lineStart + column },
      ]);
    }
    lineStart += length + 1;
  }
  return places.map(({ number, line, column, isInFunction }) => ({
    number,
    isInFunction,
    offset: nearest(starts.get(line) ?? [], column),
  }));
}

/** The last start at or before a column, or else the first after it. */
function nearest(starts, column) {
  const inOrder = starts.toSorted((a, b) => a.column - b.column);
  return (inOrder.findLast((start) => start.column <= column) ?? inOrder[0])?.offset ?? 0;
}
