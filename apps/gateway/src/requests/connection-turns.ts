import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** What waits for its turn at a connection. */
interface Turn {
  /** Absent if it is no request. */
  readonly request?: IncomingMessage;
  readonly begin: () => void;
}

/** A connection with its requests in the order in which they came. */
interface Line {
  /** The request in progress. */
  current: { readonly request: IncomingMessage; readonly response: ServerResponse } | undefined;
  readonly waiting: Turn[];
  /** Ends the pause in which nothing is read from the connection; undefined if there is none. */
  resume: (() => void) | undefined;
}

/**
 * Begins the requests of a connection one after another, each once the response to the one before is written.
 * While some wait, nothing more is read from the connection.
 */
export class ConnectionTurns {
  readonly #lines = new WeakMap<Socket, Line>();

  /** Begins a request in its turn, which may be now. It never begins if its connection ends before. */
  take(request: IncomingMessage, response: ServerResponse, begin: () => void): void {
    const line = this.#lineOf(request.socket);
    const turn = (): void => {
      line.current = { request, response };
      response.once('close', () => this.#end(request.socket, line));
      begin();
    };
    if (line.current === undefined) return turn();
    line.waiting.push({ request, begin: turn });
    line.resume ??= pause(request.socket);
  }

  /**
   * Does what ends a connection whose bytes are no HTTP, once the requests before these bytes are answered.
   * If they are the body of a request, that is answered by this.
   * @param end gets the response to the request in progress, if it is the one whose body this is
   */
  end(socket: Socket, end: (response?: ServerResponse) => void): void {
    const line = this.#lineOf(socket);
    if (line.current === undefined) return end();
    if (!line.current.request.complete) return end(line.current.response);
    // Node tells of the same bytes again.
    if (line.waiting.some(({ request }) => request === undefined)) return;
    if (line.waiting.at(-1)?.request?.complete === false) line.waiting.pop();
    line.waiting.push({ begin: end });
    line.resume ??= pause(socket);
  }

  #lineOf(socket: Socket): Line {
    const known = this.#lines.get(socket);
    if (known !== undefined) return known;
    const line: Line = { current: undefined, waiting: [], resume: undefined };
    this.#lines.set(socket, line);
    return line;
  }

  #end(socket: Socket, line: Line): void {
    if (line.waiting.length === 0) line.current = undefined;
    // Between two requests of one connection, others have their turn.
    else setImmediate(() => this.#beginNext(socket, line));
  }

  #beginNext(socket: Socket, line: Line): void {
    line.current = undefined;
    if (!socket.writable) line.waiting.length = 0;
    const turn = line.waiting.shift();
    if (line.waiting.length === 0) {
      line.resume?.();
      line.resume = undefined;
    }
    turn?.begin();
  }
}

/** Reads nothing from a connection until the returned function is called. */
function pause(socket: Socket): () => void {
  const ignore = (): void => {};
  const again = (): void => void socket.pause();
  // With a listener of `data` Node reads a connection as a stream, which alone can be paused at any moment.
  socket.on('data', ignore);
  // Node resumes it for the body of each request, also for one that has been read.
  socket.on('resume', again);
  socket.pause();
  return () => {
    socket.off('resume', again);
    socket.off('data', ignore);
    socket.resume();
  };
}
