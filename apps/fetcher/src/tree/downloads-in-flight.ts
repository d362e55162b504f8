import { HostQueue } from '#cse';
import type { Download } from '#cse';
import type { DownloadJob, Job } from '#contracts';
import type { Clock, JobQueue, Store, TreeDocument } from '#core';
import { batchDownloads } from './download-batches.ts';
import type { DownloadBatch } from './download-batches.ts';
import type { TreeSettings } from './tree-settings.ts';

interface DownloadsPorts {
  readonly store: Pick<Store, 'documents'>;
  readonly queue: JobQueue;
  readonly clock: Clock;
}

/** How often a silent job is sent at most. */
const sendings = 6;

/** A batch that was sent. */
interface SentBatch {
  readonly batch: DownloadBatch;
  /** What has not arrived, by URL. */
  readonly missing: Map<string, Download>;
  sent: number;
  /** When it was sent, or something of it last arrived, in milliseconds. */
  heardAt: number;
}

/** A download that has come to an end, and what is now known of its document. */
export interface EndedDownload {
  readonly download: Download;
  readonly document: TreeDocument;
}

/**
 * The downloads of one walk on their way through the queue: sent as the limits allow, looked for in the
 * store, and sent again if nothing is heard of them.
 */
export class DownloadsInFlight {
  readonly #ports: DownloadsPorts;
  readonly #job: Omit<DownloadJob, 'documents'>;
  readonly #settings: TreeSettings;
  readonly #waiting: HostQueue<DownloadBatch>;
  readonly #sent = new Set<SentBatch>();

  constructor(ports: DownloadsPorts, job: Omit<DownloadJob, 'documents'>, settings: TreeSettings) {
    this.#ports = ports;
    this.#job = job;
    this.#settings = settings;
    this.#waiting = new HostQueue({ parallel: settings.parallel, perHost: settings.parallelPerHost });
  }

  add(downloads: readonly Download[]): void {
    this.#waiting.add(batchDownloads(downloads, this.#settings));
  }

  /**
   * Sends what may be in progress, and once more what has been silent for too long. A job that the queue does
   * not take is as one that is lost.
   */
  async send(): Promise<void> {
    const now = this.#ports.clock.now().getTime();
    const due = this.#silent.filter(({ sent }) => sent < sendings);
    for (const batch of this.#waiting.take()) {
      const missing = new Map(batch.downloads.map((download) => [download.url, download]));
      due.push({ batch, missing, sent: 0, heardAt: now });
    }
    if (due.length === 0) return;
    for (const batch of due) {
      batch.sent += 1;
      batch.heardAt = now;
      this.#sent.add(batch);
    }
    await this.#ports.queue.send(due.map((batch) => this.#jobOf(batch))).catch(() => {});
  }

  /**
   * Takes back what was not sent yet and may be now, or because of the limits only later: called until it
   * answers nothing more.
   */
  abandon(): Download[] {
    const downloads: Download[] = [];
    for (let batches = this.#waiting.take(); batches.length > 0; batches = this.#waiting.take()) {
      for (const batch of batches) {
        this.#waiting.release(batch);
        downloads.push(...batch.downloads);
      }
    }
    return downloads;
  }

  /** Gives up what is silent although it was sent as often as it may be: something is wrong with it. */
  giveUp(): Download[] {
    return this.#silent
      .filter(({ sent }) => sent >= sendings)
      .flatMap((batch) => {
        this.#end(batch);
        return [...batch.missing.values()];
      });
  }

  /** What has come to an end since the last look, each once. */
  async ended(): Promise<EndedDownload[]> {
    const urls = [...this.#sent].flatMap(({ missing }) => [...missing.keys()]);
    const documents = await this.#ports.store.documents.load(this.#job.collection, urls);
    const now = this.#ports.clock.now().getTime();
    return [...this.#sent].flatMap((batch) => {
      const ended = [...batch.missing.values()].flatMap((download) => {
        const document = documents.get(download.url);
        return document?.outcome?.manifest === this.#job.manifest ? [{ download, document }] : [];
      });
      for (const { download } of ended) batch.missing.delete(download.url);
      if (ended.length > 0) batch.heardAt = now;
      if (batch.missing.size === 0) this.#end(batch);
      return ended;
    });
  }

  get #silent(): SentBatch[] {
    const now = this.#ports.clock.now().getTime();
    return [...this.#sent].filter(
      ({ sent, heardAt }) => now - heardAt >= this.#settings.resend * 2 ** (sent - 1),
    );
  }

  #end(sent: SentBatch): void {
    this.#sent.delete(sent);
    this.#waiting.release(sent.batch);
  }

  #jobOf({ missing }: SentBatch): Job {
    const documents = [...missing.values()].map(({ url, isFeed, lastBuildDate }) => ({
      url,
      isFeed,
      lastBuildDate,
    }));
    return { queue: 'download', data: { ...this.#job, documents } };
  }
}
