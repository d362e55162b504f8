import type { ChangeEvent, ItemEvent } from '#contracts';
import type { Io } from '../io.ts';
import { Output } from '../terminal/output.ts';
import { progressBar, progressText } from '../terminal/progress-bar.ts';
import { Progress } from '../terminal/progress.ts';
import { count, paint, printable } from '../terminal/text.ts';
import { timeText } from '../terminal/time.ts';

/**
 * Prints change events, one a line: as JSON, or for people. On a terminal the progress of a walk through a
 * tree of feeds is no line but a bar below the others, until the walk has ended.
 */
export class ChangePrinter {
  readonly #io: Io;
  readonly #format: 'text' | 'json';
  readonly #output: Output;
  readonly #progress: Progress;
  readonly #hasBar: boolean;
  readonly #namesCollections: boolean;
  #bar: string | undefined;

  /** @param namesCollections whether a line has the id of the event instead of its sequence */
  constructor(format: 'text' | 'json', namesCollections: boolean, io: Io) {
    this.#namesCollections = namesCollections;
    this.#io = io;
    this.#format = format;
    this.#output = new Output(io.stdout);
    this.#progress = new Progress(io);
    this.#hasBar = format === 'text' && io.stdout.isTTY === true && io.stderr.isTTY === true;
  }

  async print(event: ChangeEvent): Promise<void> {
    const { type } = event;
    const progress = type === 'feedmesh.subscription.progress.v1' ? event.data.progress : undefined;
    this.clear();
    if (this.#hasBar && type.startsWith('feedmesh.subscription.'))
      this.#bar = progress && progressBar(progress);
    if (!this.#hasBar || progress === undefined)
      await this.#output.write(
        this.#format === 'json'
          ? `${JSON.stringify(event)}\n`
          : eventLine(this.#io, event, this.#namesCollections),
      );
    if (this.#bar !== undefined) this.#progress.show(this.#bar);
  }

  /** Takes the bar away, so that something else can be written. */
  clear(): void {
    this.#progress.clear();
  }

  /** Ends when all that was printed has been taken. */
  async end(): Promise<void> {
    this.clear();
    await this.#output.flush();
  }
}

function eventLine(io: Io, event: ChangeEvent, namesCollection: boolean): string {
  const { time, id, sequence, type, subject, data } = event;
  const details = [
    ...('progress' in data ? [progressText(data.progress)] : []),
    ...('updates' in data ? itemDetails(io, data) : []),
    data.subscription !== undefined && `from ${data.subscription}`,
  ];
  const cells = [
    timeText(io, time),
    namesCollection ? id : sequence,
    type.replace(/^feedmesh\.|\.v1$/g, ''),
    printable(subject),
    ...details.filter((detail) => detail !== false),
  ];
  return `${cells.join(io.stdout.isTTY === true ? '  ' : '\t')}\n`;
}

function itemDetails(io: Io, { updates, history, conflictCount }: ItemEvent['data']): (string | false)[] {
  return [
    `updates ${updates}`,
    history?.by !== undefined && `by ${history.by}`,
    conflictCount > 0 && paint(io, 'stdout', 'yellow', count(conflictCount, 'conflict')),
  ];
}
