import { inspect } from 'node:util';
import { setTimeout as delay } from 'node:timers/promises';

/** A follower of an event stream, which connects again with the last event that it has. */
export class FollowedEvents {
  /** The sequence of the last event. */
  last = '';
  /** The items that had events. */
  readonly subjects = new Set<string>();
  /** Pairs of events of which the second is not later than the first. */
  readonly disorder: string[] = [];
  readonly #url: string;
  readonly #failures: string[];
  readonly #ended = new AbortController();

  private constructor(url: string, failures: string[]) {
    this.#url = url;
    this.#failures = failures;
  }

  /** @param failures gets a text for each connection that is refused */
  static follow(url: string, failures: string[]): FollowedEvents {
    const followed = new FollowedEvents(url, failures);
    void followed.#connectAgain();
    return followed;
  }

  end(): void {
    this.#ended.abort();
  }

  async #connectAgain(): Promise<void> {
    while (!this.#ended.signal.aborted) {
      try {
        await this.#read();
      } catch (error) {
        if (this.#ended.signal.aborted) return;
        // A stream that is cut is no failure: it goes on where it was. One that can't be opened is.
        if (!(error instanceof CutError)) this.#failures.push(`event stream: ${describe(error)}`);
      }
      await delay(100);
    }
  }

  async #read(): Promise<void> {
    const headers: Record<string, string> = { Accept: 'text/event-stream' };
    if (this.last !== '') headers['Last-Event-ID'] = this.last;
    const response = await fetch(`${this.#url}?mode=stream`, { headers, signal: this.#ended.signal });
    if (!response.ok || response.body === null)
      throw new Error(`${response.status} ${await response.text()}`);
    let rest = '';
    try {
      for await (const piece of response.body.pipeThrough(new TextDecoderStream())) {
        const lines = `${rest}${piece}`.split('\n');
        rest = lines.pop() ?? '';
        for (const line of lines) if (line.startsWith('data: ')) this.#take(line.slice(6));
      }
    } catch (error) {
      throw new CutError(String(error));
    }
  }

  #take(data: string): void {
    const { sequence, subject } = JSON.parse(data) as { readonly sequence: string; readonly subject: string };
    if (sequence <= this.last) this.disorder.push(`${sequence} after ${this.last}`);
    this.last = sequence;
    this.subjects.add(subject);
  }
}

class CutError extends Error {}

function describe(error: unknown): string {
  const { cause } = error as { readonly cause?: unknown };
  return `${String(error)}${cause === undefined ? '' : ` (${inspect(cause)})`}`;
}
