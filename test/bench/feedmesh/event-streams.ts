import { get } from 'node:http';
import type { ClientRequest } from 'node:http';
import type { Installation } from './installation.ts';
import { until } from './until.ts';

/** What each event begins with, besides its id. */
const mark = '\nevent: ';

/** Event streams of one collection, each on a connection of its own. */
export class EventStreams {
  readonly #requests: ClientRequest[] = [];
  /** How many events each of them has had. */
  readonly #events: number[] = [];
  /** Called with each event. */
  #arrived: () => void = () => {};
  #failure: Error | undefined;

  /** Opens so many, and waits until each has had the events of before. */
  static async open(
    { url }: Installation,
    collection: string,
    count: number,
    before: number,
  ): Promise<EventStreams> {
    const streams = new EventStreams();
    for (let opened = 0; opened < count;) {
      const next = Math.min(count, opened + 50);
      for (; opened < next; opened += 1)
        streams.#open(`${url}/v1/collections/${collection}/changes?mode=stream`);
      await until(`${opened} streams have begun`, async () => {
        if (streams.#failure) throw streams.#failure;
        return streams.#events.every((events) => events === before);
      });
    }
    return streams;
  }

  /** Resolves once each has had one more event, with the milliseconds until each of these. */
  nextEvent(): Promise<number[]> {
    const startedAt = performance.now();
    const latencies: number[] = [];
    return new Promise((resolve) => {
      this.#arrived = () => {
        latencies.push(performance.now() - startedAt);
        if (latencies.length === this.#events.length) resolve(latencies);
      };
    });
  }

  close(): void {
    for (const request of this.#requests) request.destroy();
  }

  #open(url: string): void {
    const place = this.#events.push(0) - 1;
    const request = get(url, { agent: false }, (response) => {
      if (response.statusCode !== 200) this.#failure = new Error(`GET ${url}: ${response.statusCode}`);
      let rest = '';
      response.setEncoding('utf8').on('data', (piece: string) => {
        const text = rest + piece;
        const found = text.split(mark).length - 1;
        // A mark that has not come as a whole is found with the next piece.
        rest = text.slice(Math.max(text.lastIndexOf(mark) + 1, text.length - mark.length + 1));
        this.#events[place] = (this.#events[place] ?? 0) + found;
        for (let event = 0; event < found; event += 1) this.#arrived();
      });
      response.on('error', () => {});
    });
    request.on('error', (error) => (this.#failure = error));
    this.#requests.push(request);
  }
}
