import { once } from 'node:events';
import { get } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { crc32 } from 'node:zlib';

/** A response of which nothing is read yet but its header and what comes with it. */
export class StalledDownload {
  private constructor(readonly response: IncomingMessage) {}

  static async begin(url: string): Promise<StalledDownload> {
    const request = get(url, { agent: false });
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    response.on('error', () => {});
    return new StalledDownload(response);
  }

  /** Reads the body to its end; returns its length, its checksum, and whether it is whole. */
  async read(): Promise<{ length: number; checksum: number; isWhole: boolean }> {
    let [length, checksum] = [0, 0];
    try {
      for await (const piece of this.response as AsyncIterable<Buffer>) {
        length += piece.length;
        checksum = crc32(piece, checksum);
      }
    } catch {
      // What has come is told from the whole below.
    }
    return { length, checksum, isWhole: this.response.complete };
  }
}
