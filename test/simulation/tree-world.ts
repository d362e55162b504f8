import { Dice } from './dice.ts';
import type { Weather } from './surroundings.ts';
import { tree, TreeEndpoint } from './tree-endpoint.ts';
import type { TreeSurroundings } from './tree-endpoint.ts';
import { textOf, TreeNetwork } from './tree-network.ts';
import { PlainReader } from './tree-reader.ts';
import { TreeThreads } from './tree-threads.ts';
import { viewTree } from './tree-view.ts';
import type { TreeView } from './tree-view.ts';

/** Endpoints with trees, who reads them, and what happens to them. */
export class TreeWorld implements TreeSurroundings {
  readonly time = { now: Date.parse('2026-01-01T00:00:00Z') };
  readonly weather: Weather = { lose: 0, repeat: 0, die: 0, interrupt: 0 };
  readonly dice: Dice;
  readonly threads: TreeThreads;
  readonly network: TreeNetwork;
  readonly endpoints: TreeEndpoint[] = [];
  readonly #readers = new Map<PlainReader, boolean>();

  constructor(seed: number) {
    this.dice = new Dice(seed);
    this.threads = new TreeThreads(this.dice, this.time);
    this.network = new TreeNetwork(this.dice, this.weather, this.pause);
  }

  readonly pause = async (): Promise<void> => {
    if (this.weather.interrupt > 0 && this.dice.fraction() < this.weather.interrupt)
      await this.threads.pause();
  };

  /** @param source the root that it mirrors; absent of a tree of its own, whose tombstones stay */
  async open(label: string, source?: string): Promise<TreeEndpoint> {
    const endpoint = new TreeEndpoint(label, this);
    await endpoint.open(source === undefined ? 10 ** 9 : this.dice.pick([10, 10 ** 9]));
    if (source !== undefined) await endpoint.subscribe(source);
    this.endpoints.push(endpoint);
    return endpoint;
  }

  /** A plain reader of the tree with this root. */
  reader(root: string): PlainReader {
    const reader = new PlainReader(root, async (url) => {
      await this.pause();
      const answer = await this.network.find(url);
      return answer && textOf(answer.body, this.pause);
    });
    this.#readers.set(reader, false);
    return reader;
  }

  /**
   * Lets so many things happen in bad weather.
   * @param change what else happens, every now and then
   * @param look called between two steps now and then
   */
  async live(steps: number, change: () => void | Promise<void>, look: () => Promise<void>): Promise<void> {
    const { dice } = this;
    Object.assign(this.weather, {
      lose: 0.05,
      repeat: 0.1,
      die: dice.pick([0, 0.001, 0.005]),
      interrupt: dice.pick([0.05, 0.2, 0.5]),
    });
    const [pace, grace] = [dice.pick([50, 200, 600]), dice.pick([60, 900])];
    for (let step = 0; step < steps; step += 1) {
      this.time.now += dice.below(pace);
      const endpoint = dice.pick(this.endpoints);
      const what = dice.fraction();
      if (what < 0.01) await change();
      else if (what < 0.03) endpoint.reconcile();
      else if (what < 0.035) endpoint.purge(grace);
      else if (what < 0.04) this.#read();
      else if (what < 0.042) await endpoint.request();
      else if (what < 0.05) await this.undisturbed(look);
      else if (what < 0.3) endpoint.deliver();
      await this.threads.step();
    }
  }

  /** Lets the weather clear up and everybody come to rest; what nothing refers to any more is gone then. */
  async rest(): Promise<void> {
    Object.assign(this.weather, { lose: 0, repeat: 0, die: 0, interrupt: 0 });
    let before = '';
    for (let quiet = 0, round = 0; quiet < 13; round += 1) {
      if (round === 100) throw new Error('the endpoints do not come to rest');
      this.time.now += 61_000;
      for (const endpoint of this.endpoints) endpoint.reconcile();
      await this.#work();
      const now = await this.#state();
      quiet = now === before ? quiet + 1 : 0;
      before = now;
    }
    for (let run = 0; run < 3; run += 1) {
      this.time.now += 61_000;
      for (const endpoint of this.endpoints) endpoint.purge(0);
      await this.#work();
    }
  }

  /** The text at an address, without any fault. */
  readonly text = async (url: string): Promise<string | undefined> => {
    const answer = await this.network.find(url);
    return answer && textOf(answer.body);
  };

  /** What a tree looks like to a reader that begins now. */
  view(root: string): Promise<TreeView> {
    return viewTree(root, this.text);
  }

  /** Does something without a pause: nothing else is begun or gone on with meanwhile. */
  async undisturbed(work: () => Promise<void>): Promise<void> {
    const { interrupt } = this.weather;
    this.weather.interrupt = 0;
    await work();
    this.weather.interrupt = interrupt;
  }

  /** One of the readers that is idle synchronises. */
  #read(): void {
    const idle = [...this.#readers].filter(([, isBusy]) => !isBusy);
    if (idle.length === 0) return;
    const [reader] = this.dice.pick(idle);
    this.#readers.set(reader, true);
    this.threads.start(() => reader.sync().finally(() => this.#readers.set(reader, false)));
  }

  async #work(): Promise<void> {
    const backlogs = async () => Promise.all(this.endpoints.map((endpoint) => endpoint.backlog()));
    for (
      let waiting = await backlogs();
      this.threads.running > 0 || waiting.some((length) => length > 0);
      waiting = await backlogs()
    ) {
      for (const [index, endpoint] of this.endpoints.entries())
        if ((waiting[index] ?? 0) > 0) endpoint.deliver();
      await this.threads.step();
      if (waiting.every((length) => length === 0)) this.threads.skip();
    }
  }

  async #state(): Promise<string> {
    return JSON.stringify(
      await Promise.all(
        this.endpoints.map(async ({ store }) => [
          (await store.items.list(tree, { limit: 10_000 })).map(({ id, revision, sequence }) => [
            id,
            revision,
            sequence,
          ]),
          (await store.documents.list(tree, { limit: 10_000 })).map(({ url, copy, merged, failure }) => [
            url,
            copy?.digest,
            copy?.lastBuildDate,
            merged,
            failure,
          ]),
          await store.feeds.list(tree, { limit: 10_000 }),
        ]),
      ),
    );
  }
}
