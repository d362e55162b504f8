import type { Socket } from 'node:net';
import type { buildConnector } from 'undici';

/** Longer heads are left to the parser, which refuses them. */
const maximumHead = 16_384;
const headEnd = '\r\n\r\n';

/**
 * Dials as the connector does, for connections with a single response each. A `Content-Length` that this
 * response repeats, as `10, 10` or in several fields, becomes one (RFC 9110, 8.6); different ones stay.
 */
export function withOneLength(connect: buildConnector.connector): buildConnector.connector {
  return (options, callback) =>
    connect(options, (...[error, socket]) => {
      if (error !== null) return callback(error, null);
      mendHead(socket);
      return callback(null, socket);
    });
}

/** Has the head read as a whole, mended, and everything behind it as it comes. */
function mendHead(socket: Socket): void {
  const read = socket.read.bind(socket) as () => Buffer | null;
  const pieces: Buffer[] = [];
  socket.read = (): Buffer | null => {
    for (let piece = read(); piece !== null; piece = read()) {
      pieces.push(piece);
      const begun = Buffer.concat(pieces);
      const end = begun.indexOf(headEnd);
      if (end < 0 && begun.length < maximumHead) continue;
      socket.read = read;
      const head = begun.subarray(0, end < 0 ? 0 : end);
      return Buffer.concat([oneLength(head), begun.subarray(head.length)]);
    }
    return null;
  };
}

function oneLength(head: Buffer): Buffer {
  const lines = head.toString('latin1').split('\r\n');
  const isLength = (line: string): boolean => /^content-length:/i.test(line);
  const lengths = lines.filter(isLength).flatMap((line) => line.slice(line.indexOf(':') + 1).split(','));
  const [first = '', ...others] = lengths.map((length) => length.trim());
  if (others.length === 0 || others.some((length) => length !== first)) return head;
  const rest = lines.filter((line) => !isLength(line));
  return Buffer.from([...rest, `Content-Length: ${first}`].join('\r\n'), 'latin1');
}
