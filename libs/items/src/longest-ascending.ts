import type { Steps } from '#core';

/**
 * A longest part of a list, not necessarily without gaps, in which each element is greater than the one
 * before, in n log n steps.
 */
export function* longestAscending<Element>(
  list: readonly Element[],
  compare: (a: Element, b: Element) => number,
): Steps<Element[]> {
  /** For each length the chain that ends with the smallest element. */
  const chains: Chain<Element>[] = [];
  for (const element of list) {
    let low = 0;
    for (let high = chains.length; low < high;) {
      const middle = (low + high) >> 1;
      const chain = chains[middle];
      if (chain !== undefined && compare(chain.element, element) < 0) low = middle + 1;
      else high = middle;
    }
    chains[low] = { element, before: chains[low - 1] };
    yield;
  }
  const longest: Element[] = [];
  for (let chain = chains.at(-1); chain !== undefined; chain = chain.before) {
    longest.push(chain.element);
    yield;
  }
  return longest.reverse();
}

interface Chain<Element> {
  readonly element: Element;
  readonly before: Chain<Element> | undefined;
}
