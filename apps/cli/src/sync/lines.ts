import { closeSync, openSync, readSync } from 'node:fs';

/** How many bytes are read at once. */
const pieceLength = 65_536;

/** The lines of a file (UTF-8), one in memory at a time; what follows the last line break is left out. */
export function* linesOf(path: string): Generator<string> {
  const file = openSync(path, 'r');
  try {
    let begun: Buffer[] = [];
    for (;;) {
      const piece = Buffer.alloc(pieceLength);
      const read = readSync(file, piece);
      if (read === 0) return;
      let start = 0;
      for (let end = piece.indexOf(0x0a); end !== -1 && end < read; end = piece.indexOf(0x0a, start)) {
        yield Buffer.concat([...begun, piece.subarray(start, end)]).toString();
        begun = [];
        start = end + 1;
      }
      begun.push(piece.subarray(start, read));
    }
  } finally {
    closeSync(file);
  }
}
