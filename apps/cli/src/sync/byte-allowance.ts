/** A download that is in progress, as the allowance sees it. */
interface Share {
  /** Bytes that it has taken. */
  bytes: number;
  isBrokenOff: boolean;
}

/**
 * The bytes that may yet be downloaded, by all downloads together. Where they run out, the longest download
 * that is in progress is broken off and what it took is given back, so that an endless file doesn't cost the
 * others theirs.
 */
export class ByteAllowance {
  #left: number;
  readonly #shares = new Set<Share>();

  constructor(bytes: number) {
    this.#left = bytes;
  }

  open(): Share {
    const share = { bytes: 0, isBrokenOff: false };
    this.#shares.add(share);
    return share;
  }

  /** Takes bytes for a download; returns whether it may go on. */
  take(share: Share, bytes: number): boolean {
    if (share.isBrokenOff) return false;
    share.bytes += bytes;
    this.#left -= bytes;
    while (this.#left < 0) {
      const [longest = share] = [...this.#shares].toSorted((a, b) => b.bytes - a.bytes);
      longest.isBrokenOff = true;
      this.#return(longest);
    }
    return !share.isBrokenOff;
  }

  /** Ends a download; what it took is given back if nothing of it is kept. */
  close(share: Share, isKept: boolean): void {
    if (isKept) this.#shares.delete(share);
    else if (this.#shares.has(share)) this.#return(share);
  }

  #return(share: Share): void {
    this.#shares.delete(share);
    this.#left += share.bytes;
  }
}
