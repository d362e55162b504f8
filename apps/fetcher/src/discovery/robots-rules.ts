/** A rule of a robots.txt file (RFC 9309, 2.2.2). */
export interface RobotsRule {
  readonly allows: boolean;
  /** What it is for, as it is written: `/private/*.html$`. */
  readonly pattern: string;
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
export function robotsRules(text: string, productToken: string): readonly RobotsRule[] {
  const groups = groupsOf(text);
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
export function forbiddingRule(rules: readonly RobotsRule[], url: string): RobotsRule | undefined {
  const { pathname, search } = new URL(url);
  const path = comparable(pathname + search);
  if (path === '/robots.txt') return undefined;
  let decisive: RobotsRule | undefined;
  let length = -1;
  for (const rule of rules) {
    const pattern = comparable(rule.pattern);
    const isStronger = pattern.length > length || (pattern.length === length && rule.allows);
    if (!isStronger || !matches(pattern, path)) continue;
    decisive = rule;
    ({ length } = pattern);
  }
  return decisive?.allows === false ? decisive : undefined;
}

function groupsOf(text: string): Group[] {
  const groups: Group[] = [];
  let isOpen = false;
  for (const [place, whole] of text
    .replace(/^\uFEFF/, '')
    .split(/\r\n|\r|\n/)
    .entries()) {
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
      if (pattern !== '') last.rules.push({ allows: field === 'allow', pattern, line: place + 1 });
    }
  }
  return groups;
}

/** The product token of a `user-agent` line, in lower case; many are written with a version. */
function agentOf(value: string): string {
  const text = value.trim();
  return text.startsWith('*') ? '*' : (/^[A-Za-z_-]+/.exec(text)?.[0].toLowerCase() ?? '');
}

/**
 * A path or pattern as it is compared (RFC 9309, 2.2.2): characters beyond ASCII are percent-encoded, and
 * unreserved ones are not.
 */
function comparable(text: string): string {
  return text
    .replace(/[^\x21-\x7e]/gu, (character) => encoded(character))
    .replace(/%[0-9A-Fa-f]{2}/g, (octet) => {
      const character = String.fromCharCode(Number.parseInt(octet.slice(1), 16));
      return /[A-Za-z0-9\-._~]/.test(character) ? character : octet.toUpperCase();
    });
}

function encoded(character: string): string {
  return Array.from(
    new TextEncoder().encode(character),
    (octet) => `%${octet.toString(16).padStart(2, '0').toUpperCase()}`,
  ).join('');
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
