import type { ServerResponse } from 'node:http';
import type { BoundedReads } from './bounded-reads.ts';
import { pieceBytes } from './client-writer.ts';
import type { Step } from './front.ts';

/**
 * Disconnects a client that reads nothing of the end of a response for so many seconds: all of a short one,
 * and what is left of a long one once it is written. Node counts every piece that is read as activity. What
 * is left counts as held, so the client is disconnected earlier if others need its memory.
 */
export function cutStalledClients(seconds: number, reads: BoundedReads): Step {
  return (_request, response, next) => {
    response.once('prefinish', () => {
      // After the response, Node sets the time that a connection may be idle.
      response.socket?.setTimeout(seconds * 1000);
      holdRest(response, reads);
    });
    next();
  };
}

function holdRest(response: ServerResponse, reads: BoundedReads): void {
  const length = response.writableLength;
  if (length <= pieceBytes) return;
  const rest = { length, readers: 1, readAt: 0, drop: () => void response.destroy() };
  reads.hold(rest);
  response.once('close', () => reads.release(rest));
}
