import { endBody, FetchError, inSlices, LatestEntries, originOf } from '#core';
import type { Clock, HttpFetch } from '#core';
import { firstBytes } from '../body-pieces.ts';
import { forbiddingRule, robotsLength, robotsRules } from './robots-rules.ts';
import type { RobotsRule } from './robots-rules.ts';

/** For how long a robots.txt file is used, in milliseconds (RFC 9309, 2.4), and of how many sites. */
const keptFor = 86_400_000;
const keptSites = 1000;

interface KeptRules {
  readonly rules: readonly RobotsRule[];
  readonly until: number;
}

/** What sites say to crawlers (RFC 9309). One that can't say so now forbids everything until it can. */
export class Robots {
  readonly #productToken: string;
  readonly #clock: Pick<Clock, 'now'>;
  /** By origin. */
  readonly #kept = new LatestEntries<string, KeptRules>(keptSites);

  /** @param userAgent what `User-Agent` begins with; its product token is what sites name */
  constructor(userAgent: string, clock: Pick<Clock, 'now'>) {
    this.#productToken = /^[A-Za-z_-]+/.exec(userAgent)?.[0] ?? userAgent;
    this.#clock = clock;
  }

  /**
   * Returns if a crawler may request a URL.
   * @throws FetchError `robots-disallowed` with the rule that forbids it, `robots-unavailable` if the site's
   *   rules can't be read, and as `http.get` does if the host is busy or must not be reached
   */
  async check(http: HttpFetch, url: string): Promise<void> {
    const origin = originOf(url);
    const rule = await inSlices(forbiddingRule(await this.#rulesOf(http, origin), url));
    if (rule === undefined) return;
    throw new FetchError(
      'robots-disallowed',
      `${url}: ${origin}/robots.txt forbids ${this.#productToken} to look for feeds there ` +
        `(line ${rule.line}, "Disallow: ${rule.pattern}"); subscribe to the feed itself`,
    );
  }

  async #rulesOf(http: HttpFetch, origin: string): Promise<readonly RobotsRule[]> {
    const now = this.#clock.now().getTime();
    const kept = this.#kept.get(origin);
    if (kept !== undefined && now < kept.until) return kept.rules;
    const { text, seconds } = await readRobots(http, `${origin}/robots.txt`);
    const rules = await inSlices(robotsRules(text, this.#productToken));
    const until = now + Math.min(keptFor, (seconds ?? Infinity) * 1000);
    this.#kept.set(origin, { rules, until });
    return rules;
  }
}

/** The text of a robots.txt file, empty if there is none, and for how long it is fresh. */
async function readRobots(
  http: HttpFetch,
  url: string,
): Promise<{ readonly text: string; readonly seconds?: number }> {
  try {
    const response = await http.get({ url });
    if (response.status === 'not-modified') return { text: '' };
    const { seconds } = response.freshness;
    const text = await beginningOf(response.body);
    return { text, ...(seconds !== undefined && { seconds }) };
  } catch (error) {
    if (!(error instanceof FetchError) || isUnsent(error)) throw error;
    if (isMissing(error)) return { text: '' };
    throw new FetchError(
      'robots-unavailable',
      `the site's rules for crawlers could not be read, so no feed is looked for: ${error.message}`,
      { cause: error.cause, ...(error.host !== undefined && { host: error.host }) },
    );
  }
}

async function beginningOf(body: AsyncIterable<Uint8Array>): Promise<string> {
  try {
    return new TextDecoder().decode(await firstBytes(body, robotsLength));
  } finally {
    await endBody(body);
  }
}

/** Whether nothing was requested: the host is busy or must not be reached, or credentials can't be read. */
function isUnsent({ rule }: FetchError): boolean {
  return /^(?:host-busy|host-paused|address-refused|credentials-.*)$/.test(rule);
}

/** Whether there is no such file (RFC 9309, 2.3.1.2 and 2.3.1.3); 429 says that there may be one. */
function isMissing({ rule, status = 0 }: FetchError): boolean {
  return rule === 'redirects' || (status >= 400 && status < 500 && status !== 429);
}
