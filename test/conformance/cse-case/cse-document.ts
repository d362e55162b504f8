import type { Feed } from '#cse';
import { CseFeedReader } from '#cse';
import { FeedError } from '#xml';
import type { Violation } from '#xml';

/** Reads a feed of a tree that stands at this address. Throws `FeedError` if it is none. */
export function readCseDocument(text: string, url: string): Feed {
  return readWithViolations(text, url, []);
}

/** Every violation in a feed of a tree, also the one that ends it. */
export function violationsIn(text: string, url: string): readonly Violation[] {
  const violations: Violation[] = [];
  try {
    readWithViolations(text, url, violations);
  } catch (error) {
    if (!(error instanceof FeedError)) throw error;
    violations.push(error.violation);
  }
  return violations;
}

function readWithViolations(text: string, url: string, violations: Violation[]): Feed {
  const reader = new CseFeedReader({ base: url });
  for (const reading of reader.write(Buffer.from(text))) violations.push(...reading.violations);
  const { feed, head, violations: together } = reader.end();
  violations.push(...together, ...head.violations);
  return feed;
}
