import type { RequestHandler } from 'express';

/**
 * Disconnects a client that reads nothing of the end of a response for so many seconds: all of a short one,
 * and what is left of a long one once it is written. Node counts every piece that is read as activity.
 */
export function cutStalledClients(seconds: number): RequestHandler {
  return (_request, response, next) => {
    // After the response, Node sets the time that a connection may be idle.
    response.once('prefinish', () => response.socket?.setTimeout(seconds * 1000));
    next();
  };
}
