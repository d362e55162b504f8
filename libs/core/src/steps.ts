import type { Steps } from '#xml';

/** How long work keeps the event loop before others have their turn, in milliseconds. */
const sliceLength = 10;

/** Shares the event loop: others have their turn whenever work has lasted for a slice. */
export class Slices {
  #end = performance.now() + sliceLength;

  get isOver(): boolean {
    return performance.now() >= this.#end;
  }

  /** Lets others have their turn if the slice is over, and begins the next one. */
  async rest(): Promise<void> {
    if (!this.isOver) return;
    await othersTurn();
    this.#end = performance.now() + sliceLength;
  }
}

/** Gives other work a turn, including reads from the network. */
export async function othersTurn(): Promise<void> {
  // The first one comes before anything is read from the network, if this was called by what was read.
  await new Promise((resolve) => {
    setImmediate(() => setImmediate(resolve));
  });
}

/** Does work in slices. Returns and throws what it does. */
export async function inSlices<Result>(steps: Steps<Result>): Promise<Result> {
  const slices = new Slices();
  for (;;) {
    const step = steps.next();
    if (slices.isOver) await slices.rest();
    if (step.done === true) return step.value;
  }
}

/** How many elements one step sorts, or merges. */
const runLength = 256;

/** Returns the elements of a list in ascending order; equal ones stay in their order. */
export function* sorted<Element>(
  list: readonly Element[],
  compare: (a: Element, b: Element) => number,
): Steps<Element[]> {
  let runs: Element[][] = [];
  for (let start = 0; start < list.length; start += runLength) {
    runs.push(list.slice(start, start + runLength).sort(compare));
    yield;
  }
  while (runs.length > 1) {
    const longer: Element[][] = [];
    for (let place = 0; place < runs.length; place += 2)
      longer.push(yield* merged(runs[place] ?? [], runs[place + 1] ?? [], compare));
    runs = longer;
  }
  return runs[0] ?? [];
}

function* merged<Element>(
  low: readonly Element[],
  high: readonly Element[],
  compare: (a: Element, b: Element) => number,
): Steps<Element[]> {
  const all: Element[] = [];
  let [next, rest] = [0, 0];
  while (next < low.length && rest < high.length) {
    const isHigher = compare(low[next] as Element, high[rest] as Element) > 0;
    all.push((isHigher ? high[rest++] : low[next++]) as Element);
    if (all.length % runLength === 0) yield;
  }
  yield;
  return all.concat(low.slice(next), high.slice(rest));
}
