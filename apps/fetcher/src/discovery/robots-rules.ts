import type { Steps } from '#core';

/** A rule of a robots.txt file (RFC 9309, 2.2.2). */
export interface RobotsRule {
  readonly allows: boolean;
  /** What it is for, as it is written: `/private/*.html$`. */
  readonly pattern: string;
  /** The pattern as it is compared. */
  readonly compared: string;
  /** The line of the file, from 1. */
  readonly line: number;
}

interface Group {
  /** Product tokens in lower case, or `*`. */
  readonly agents: string[];
  readonly rules: RobotsRule[];
}

/** How much of a robots.txt file is read, in bytes (RFC 9309, 2.5). */
export const robotsLength = 512_000;

/**
 * Returns the rules of a robots.txt file for a crawler: those of all groups that name it, or if none does,
 * those of all groups for `*` (RFC 9309, 2.2.1).
 * @param productToken what `User-Agent` begins with, without its version
 */
export function* robotsRules(text: string, productToken: string): Steps<readonly RobotsRule[]> {
  const groups = yield* groupsOf(text);
  const rulesFor = (agent: string): RobotsRule[] | undefined => {
    const named = groups.filter(({ agents }) => agents.includes(agent));
    return named.length === 0 ? undefined : named.flatMap(({ rules }) => rules);
  };
  return rulesFor(productToken.toLowerCase()) ?? rulesFor('*') ?? [];
}

/**
 * Returns the rule that forbids a URL: the most specific one that matches its path and query, unless that
 * allows it (RFC 9309, 2.2.2); undefined if it may be requested.
 */
export function* forbiddingRule(rules: readonly RobotsRule[], url: string): Steps<RobotsRule | undefined> {
  const { pathname, search } = new URL(url);
  const path = yield* comparable(pathname + search);
  if (path === '/robots.txt') return undefined;
  let decisive: RobotsRule | undefined;
  let length = -1;
  for (const rule of rules) {
    yield;
    const { compared } = rule;
    const isStronger = compared.length > length || (compared.length === length && rule.allows);
    if (!isStronger || !matches(compared, path)) continue;
    decisive = rule;
    ({ length } = compared);
  }
  return decisive?.allows === false ? decisive : undefined;
}

function* groupsOf(text: string): Steps<Group[]> {
  const groups: Group[] = [];
  let isOpen = false;
  let line = 0;
  for (const [whole] of text.replace(/^\uFEFF/, '').matchAll(/[^\r\n]*(?:\r\n|\r|\n|$)/g)) {
    yield;
    line += 1;
    const [, name = '', value = ''] = /^\s*([A-Za-z-]+)\s*:\s*([^#]*)/.exec(whole) ?? [];
    const field = name.toLowerCase();
    const last = groups.at(-1);
    if (field === 'user-agent') {
      const agent = agentOf(value);
      if (isOpen && last) last.agents.push(agent);
      else groups.push({ agents: [agent], rules: [] });
      isOpen = true;
    } else if ((field === 'allow' || field === 'disallow') && last) {
      isOpen = false;
      const pattern = value.trim();
      if (pattern === '') continue;
      const compared = yield* comparable(pattern);
      last.rules.push({ allows: field === 'allow', pattern, compared, line });
    }
  }
  return groups;
}

/** The product token of a `user-agent` line, in lower case; many are written with a version. */
function agentOf(value: string): string {
  const text = value.trim();
  return text.startsWith('*') ? '*' : (/^[A-Za-z_-]+/.exec(text)?.[0].toLowerCase() ?? '');
}

/** Octets, and up to 100 characters beyond ASCII: both are rewritten before they are compared. */
const unlike = /%[0-9A-Fa-f]{2}|[^\x21-\x7e]{1,100}/gu;

/**
 * A path or pattern as it is compared (RFC 9309, 2.2.2): characters beyond ASCII are percent-encoded, and
 * unreserved ones are not.
 */
function* comparable(text: string): Steps<string> {
  let compared = '';
  let at = 0;
  for (const { 0: found, index } of text.matchAll(unlike)) {
    compared += text.slice(at, index) + (found.startsWith('%') ? decoded(found) : encoded(found));
    at = index + found.length;
    yield;
  }
  return compared + text.slice(at);
}

function decoded(octet: string): string {
  const character = String.fromCharCode(Number.parseInt(octet.slice(1), 16));
  return /[A-Za-z0-9\-._~]/.test(character) ? character : octet.toUpperCase();
}

function encoded(characters: string): string {
  return Buffer.from(characters).toString('hex').toUpperCase().replace(/../g, '%$&');
}

/**
 * Whether a path begins as a pattern says: `*` stands for any characters, `$` at its end for that of the
 * path. It takes as long as both are, however many `*` there are.
 */
function matches(pattern: string, path: string): boolean {
  const isWhole = pattern.endsWith('$');
  const parts = (isWhole ? pattern.slice(0, -1) : pattern).split('*');
  const [first = '', ...others] = parts;
  if (!path.startsWith(first)) return false;
  let at = first.length;
  const last = isWhole ? others.pop() : undefined;
  for (const part of others) {
    const found = path.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  if (!isWhole) return true;
  return last === undefined ? at === path.length : path.length - last.length >= at && path.endsWith(last);
}
