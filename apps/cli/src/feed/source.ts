import { createReadStream } from 'node:fs';
import { httpFetchVariables } from '#http-fetch';
import { suggestFeedUrl } from '#contracts';
import { endBody, FetchError } from '#core';
import type { Io } from '../io.ts';
import { asFailure, causeOf } from '../cause.ts';
import { CommandError, exitCode } from '../command-error.ts';
import { openFetch } from '../open-fetch.ts';

/** Limits on what is read from the network. */
export interface SourceLimits {
  /** Seconds that may be spent waiting for the servers of one feed, from the request to its last byte. */
  readonly timeout: number;
  /** Bytes of one feed, decoded. */
  readonly maximumBytes: number;
  /** Networks (CIDR) that may be reached although they are not public. */
  readonly allowNetwork: readonly string[];
}

/** The bytes of a document on their way. */
export interface SourceBytes {
  /** Where a document from the network stands, after redirects. */
  readonly url?: string;
  /** The value of the Content-Type header, if there is one. */
  readonly contentType?: string;
  /** Throws CommandError if reading fails. */
  readonly chunks: AsyncIterable<Uint8Array>;
}

/**
 * Opens a feed: a file's path, an `http:` or `https:` URL, or `-` for stdin. A URL is fetched as the services
 * fetch it: only public addresses and the allowed networks are reached, by a redirect too.
 * @throws CommandError (2) if a server can't be reached, must not be, or returns anything but 200; (64) for
 *   an allowed network that is none
 */
export async function openSource(source: string, io: Io, limits: SourceLimits): Promise<SourceBytes> {
  if (source === '-') return { chunks: readableChunks('stdin', io.stdin) };
  if (!/^https?:\/\//i.test(source)) return { chunks: readableChunks(source, createReadStream(source)) };
  const http = openFetch({
    allowNetworks: limits.allowNetwork,
    totalSeconds: limits.timeout,
    bodyBytes: limits.maximumBytes,
  });
  try {
    const response = await http.get({ url: source });
    if (response.status !== 'ok')
      throw new FetchError('http-status', 'the server responded with 304 to a request without conditions');
    const { url, contentType, body } = response;
    return {
      url,
      ...(contentType !== undefined && { contentType }),
      chunks: readableChunks(source, endingWith(body, http)),
    };
  } catch (error) {
    await http.close();
    throw unreadable(source, error);
  }
}

/** The pieces of a body, with whose end the connection ends. */
async function* endingWith(
  body: AsyncIterable<Uint8Array>,
  http: ReturnType<typeof openFetch>,
): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } finally {
    await endBody(body);
    await http.close();
  }
}

/** Says what failed to be read in the words of the person who requested it. */
async function* readableChunks(
  source: string,
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  try {
    yield* chunks;
  } catch (error) {
    throw unreadable(source, error);
  }
}

function unreadable(source: string, error: unknown): CommandError {
  if (error instanceof CommandError) return error;
  const reason = error instanceof FetchError ? inOptions(withoutUrl(source, error.message)) : causeOf(error);
  return new CommandError(
    `cannot read ${source}: ${reason}${schemeHint(source, error)}`,
    exitCode.unreadable,
    { cause: error },
  );
}

/** What the limits of a fetch are called on this command line. */
const options: readonly (readonly [setting: string, option: string])[] = [
  [httpFetchVariables.allowNetworks, '--allow-network'],
  [httpFetchVariables.bodyBytes, '--maximum-bytes'],
  [httpFetchVariables.totalSeconds, '--timeout'],
];

function inOptions(reason: string): string {
  return options.reduce((text, [setting, option]) => text.replaceAll(setting, option), reason);
}

/** The message, which repeats the URL only if it is about another one. */
function withoutUrl(source: string, message: string): string {
  const prefix = `${new URL(source).href}: `;
  return message.startsWith(prefix) ? message.slice(prefix.length) : message;
}

/**
 * What is not a URL is read as a file: says so if there is none and the source looks like a URL without its
 * scheme.
 */
function schemeHint(source: string, error: unknown): string {
  const suggestion = /[/:]|^www\./.test(source) ? suggestFeedUrl(source) : undefined;
  const isMissing = asFailure(error).code === 'ENOENT';
  return isMissing && suggestion !== undefined
    ? `; if it is a URL, it has no scheme: did you mean \`${suggestion}\`?`
    : '';
}
