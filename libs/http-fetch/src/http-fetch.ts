import { errors } from 'undici';
import { FetchError } from '#core';
import type { FetchRequest, FetchResponse, FormRequest, HttpFetch, HttpPost } from '#core';
import { AddressGuard } from './address-guard.ts';
import { bodyOf } from './body.ts';
import { EndSignal } from './end-signal.ts';
import { acceptedCodings } from './content-coding.ts';
import type { Exchange } from './exchange.ts';
import { failureOf, located } from './failure.ts';
import { credentialsSent, statusError } from './status-error.ts';
import type { CredentialsSent } from './status-error.ts';
import { freshnessOf, retryAfterOf } from './freshness.ts';
import { guardedConnect } from './guarded-connect.ts';
import { fieldOf, joinedFieldOf } from './header.ts';
import { HostConnections } from './host-connections.ts';
import { HostSlots } from './host-slots.ts';
import type { RequestSlots } from './host-slots.ts';
import { withOneLength } from './repeated-length.ts';
import { httpFetchDefaults, httpFetchVariables } from './settings.ts';
import type { HttpFetchSettings } from './settings.ts';
import { redirectedTarget, targetOf } from './target.ts';
import type { Target } from './target.ts';
import { userAgentOf } from './user-agent.ts';
import { UpstreamTime } from './upstream-time.ts';

/** Of these the new address is meant to be used from now on (RFC 9110, 15.4). */
const permanentStatuses: ReadonlySet<number> = new Set([301, 308]);
/** Of these the same request is sent again, with its body (RFC 9110, 15.4). */
const repeatedStatuses: ReadonlySet<number> = new Set([307, 308]);
const redirectStatuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const accept = 'application/atom+xml, application/rss+xml, application/xml;q=0.9, text/xml;q=0.8, */*;q=0.1';

/**
 * The way out to the network: conditional GET over HTTP/1.1 within the given limits, to public addresses and
 * allowed networks only. `close` breaks off what is in progress. Throws `RangeError` for an allowed network
 * that is none.
 */
export function createHttpFetch(
  settings: Partial<HttpFetchSettings> = {},
): HttpFetch & HttpPost & { close(): Promise<void> } {
  return new NetworkFetch({ ...httpFetchDefaults, ...settings });
}

class NetworkFetch implements HttpFetch, HttpPost {
  readonly #settings: HttpFetchSettings;
  readonly #connections: HostConnections;
  /** For one response each, whose length may be repeated. */
  readonly #single: HostConnections;
  readonly #slots: RequestSlots;

  constructor(settings: HttpFetchSettings) {
    this.#settings = settings;
    this.#slots = settings.slots ?? new HostSlots(settings.connectionsPerHost);
    const connect = guardedConnect(
      new AddressGuard(settings.allowNetworks),
      settings.connectSeconds,
      settings.lookup,
    );
    const limits = {
      headersTimeout: settings.headersSeconds * 1000,
      bodyTimeout: 0,
      maxHeaderSize: settings.headerBytes,
    };
    this.#connections = new HostConnections({ connect, ...limits }, settings.keptHosts);
    this.#single = new HostConnections({ connect: withOneLength(connect), ...limits }, settings.keptHosts);
  }

  async get(request: FetchRequest): Promise<FetchResponse> {
    const time = new UpstreamTime(this.#settings.totalSeconds, request.waits);
    const conditions = conditionsOf(request);
    const { userAgent = userAgentOf(this.#settings, request.subscribers), acceptLanguage } = request;
    const fields = {
      ...conditions,
      'user-agent': userAgent,
      ...(acceptLanguage !== undefined && { 'accept-language': acceptLanguage }),
    };
    const start = targetOf(request.url, request.credentials);
    let target = start;
    let moved: string | undefined;
    let isPermanent = true;
    for (let redirects = 0; ; redirects += 1) {
      const slot = redirects === 0 ? request.slot : undefined;
      const exchange = await this.#send(
        target,
        fields,
        time,
        await this.#admitted(target, slot ?? (await this.#slots.take(target.url.host))),
      );
      const location = redirectStatuses.has(exchange.status)
        ? fieldOf(exchange.header, 'location')
        : undefined;
      if (location === undefined) {
        const isConditional = Object.keys(conditions).length > 0;
        const sent = { isConditional, moved, credentials: credentialsSent(start, target) };
        return this.#answer(exchange, sent, time);
      }
      target = this.#redirected(start, exchange, target, location, redirects);
      isPermanent &&= permanentStatuses.has(exchange.status);
      if (isPermanent) moved = target.url.href;
    }
  }

  async post({ url, form, waits }: FormRequest): Promise<void> {
    const time = new UpstreamTime(this.#settings.totalSeconds, waits);
    const body = new URLSearchParams(form).toString();
    const fields = {
      'content-type': 'application/x-www-form-urlencoded',
      'user-agent': userAgentOf(this.#settings),
    };
    const start = targetOf(url);
    let target = start;
    for (let redirects = 0; ; redirects += 1) {
      const release = await this.#admitted(target, await this.#slots.take(target.url.host));
      const exchange = await this.#send(target, fields, time, release, body);
      const { status, header } = exchange;
      const location = repeatedStatuses.has(status) ? fieldOf(header, 'location') : undefined;
      if (location === undefined) {
        exchange.end();
        if (status >= 200 && status < 300) return;
        const error = statusError(status, credentialsSent(start, target), retryAfterOf(header, Date.now()));
        throw located(error, target.url);
      }
      target = this.#redirected(start, exchange, target, location, redirects);
    }
  }

  /** Ends an exchange that redirects, the first of which was number 0; returns where it leads. */
  #redirected(start: Target, exchange: Exchange, from: Target, location: string, redirects: number): Target {
    // The slot is free before the next one is taken, so two hosts that redirect to each other never wait
    // for each other.
    exchange.end();
    if (redirects >= this.#settings.redirects) {
      throw new FetchError(
        'redirects',
        `${start.url.href}: more than ${this.#settings.redirects} redirects ` +
          `(${httpFetchVariables.redirects})`,
      );
    }
    return redirectedTarget(from, location);
  }

  /** Waits for the admission of a request that has a slot; returns how to give both back. */
  async #admitted({ url }: Target, release: () => void): Promise<() => void> {
    try {
      const leave = await this.#settings.admit?.(url.href);
      return () => {
        release();
        leave?.();
      };
    } catch (error) {
      release();
      throw error;
    }
  }

  async close(): Promise<void> {
    await Promise.all([this.#connections.destroy(), this.#single.destroy()]);
  }

  /**
   * Sends a POST if there is a body, else a GET.
   * @param release gives back the slot of the host when the exchange ends
   */
  async #send(
    { url, credentials }: Target,
    fields: Readonly<Record<string, string>>,
    time: UpstreamTime,
    release: () => void,
    sent?: string,
  ): Promise<Exchange> {
    const signal = new EndSignal();
    const end = (reason?: FetchError): void => {
      signal.abort(reason);
      release();
    };
    try {
      const options = {
        path: url.pathname + url.search,
        method: sent === undefined ? ('GET' as const) : ('POST' as const),
        ...(sent !== undefined && { body: sent }),
        headers: {
          accept,
          'accept-encoding': acceptedCodings,
          ...fields,
          ...credentials,
        },
        signal,
      };
      const response = await time
        .wait(() => this.#connections.to(url.origin).request(options), end)
        .catch((error: unknown) => {
          // The parser refuses a length that is repeated.
          const isRefused = error instanceof errors.ResponseContentLengthMismatchError;
          if (sent !== undefined || !isRefused) throw error;
          return time.wait(() => this.#single.to(url.origin).request({ ...options, reset: true }), end);
        });
      const { statusCode: status, headers: header, body } = response;
      return { url, status, header, body, end, release };
    } catch (error) {
      end();
      throw located(failureOf(error, this.#settings), url);
    }
  }

  #answer(exchange: Exchange, sent: SentRequest, time: UpstreamTime): FetchResponse {
    const { header, status, url } = exchange;
    const now = Date.now();
    const freshness = freshnessOf(header, now);
    const link = joinedFieldOf(header, 'link');
    const common = {
      ...(sent.moved !== undefined && { movedTo: sent.moved }),
      ...(link !== undefined && { link }),
    };
    try {
      // 203 is a 200 that a proxy has changed (RFC 9110, 15.3.4).
      if (status === 200 || status === 203) {
        return {
          status: 'ok',
          url: url.href,
          ...common,
          etag: fieldOf(header, 'etag'),
          lastModified: fieldOf(header, 'last-modified'),
          date: fieldOf(header, 'date'),
          contentType: fieldOf(header, 'content-type'),
          freshness,
          body: bodyOf(exchange, time, this.#settings),
        };
      }
      if (status === 304 && sent.isConditional) {
        // It has no body (RFC 9110, 15.4.5), so the connection is free, and nothing has to be broken off.
        exchange.release();
        return { status: 'not-modified', url: url.href, ...common, freshness };
      }
      throw statusError(status, sent.credentials, retryAfterOf(header, now));
    } catch (error) {
      exchange.end();
      throw located(failureOf(error, this.#settings), url);
    }
  }
}

/** What the last request of a fetch was sent with. */
interface SentRequest {
  readonly isConditional: boolean;
  /** Where permanent redirects led to. */
  readonly moved: string | undefined;
  readonly credentials: CredentialsSent;
}

/** Both validators as they came (RFC 9110, 13.1); one that can't stand in a header is left out. */
function conditionsOf({ etag, lastModified }: FetchRequest): Record<string, string> {
  const conditions = Object.entries({ 'if-none-match': etag, 'if-modified-since': lastModified });
  return Object.fromEntries(
    conditions.filter(
      (entry): entry is [string, string] =>
        entry[1] !== undefined && /^[\x20-\x7e\x80-\xff]+$/.test(entry[1]),
    ),
  );
}
