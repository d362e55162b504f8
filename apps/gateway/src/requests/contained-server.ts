import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { Logger } from '@nestjs/common';
import { contain, containEvents } from '#service';
import type { ConnectionTurns } from './connection-turns.ts';

const logger = new Logger('Server');

interface ContainedServer {
  readonly turns: ConnectionTurns;
  /** Called with each request before anything else. */
  readonly prepare: (request: IncomingMessage, response: ServerResponse) => void;
  /** Ends a request with an error; its response may have begun. */
  readonly fail: (request: IncomingMessage, response: ServerResponse, error: unknown) => void;
}

/**
 * Has what a listener of a server throws, and all that it starts, end a request or a connection, and not the
 * process. The requests of a connection are emitted one after another.
 */
export function containServer(server: Server, { turns, prepare, fail }: ContainedServer): void {
  const emit = server.emit.bind(server) as (event: string | symbol, ...values: unknown[]) => boolean;
  const begin = (request: IncomingMessage, response: ServerResponse): void => {
    const end = (error: unknown): void => failSafely(fail, request, response, error);
    containEvents(request, end);
    containEvents(response, end);
    contain(end, () => {
      prepare(request, response);
      emit('request', request, response);
    });
  };
  const contained = new WeakSet<Socket>();
  server.emit = (event: string | symbol, ...values: unknown[]): boolean => {
    if (event === 'request') {
      const [request, response] = values as [IncomingMessage, ServerResponse];
      turns.take(request, response, () => begin(request, response));
      return true;
    }
    const socket = values.find((value) => value instanceof Socket);
    if (socket === undefined) return emit(event, ...values);
    const end = (error: unknown): void => failConnection(socket, error);
    if (!contained.has(socket)) containEvents(socket, end);
    contained.add(socket);
    let isHeard = true;
    contain(end, () => (isHeard = emit(event, ...values)));
    return isHeard;
  };
}

function failSafely(
  fail: ContainedServer['fail'],
  request: IncomingMessage,
  response: ServerResponse,
  error: unknown,
): void {
  try {
    fail(request, response, error);
  } catch {
    response.destroy();
  }
}

function failConnection(socket: Socket, error: unknown): void {
  socket.destroy();
  logger.error(`a connection was cut: ${error instanceof Error ? error.stack : String(error)}`);
}
