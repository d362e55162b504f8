/** Longer texts are no URLs, in UTF-16 code units. */
const maximumLength = 65_536;

/**
 * A text as a URL, or a reference resolved against the base; undefined for what is none. `URL.canParse` of
 * Node 20 is not used: once it is optimized, it answers wrongly for some texts that are not ASCII.
 */
export function parseUrl(text: string, base?: string): URL | undefined {
  // A thrown error takes a hundred times as long as this look.
  if (text.length > maximumLength || (base === undefined && !text.includes(':'))) return undefined;
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}

/** Whether `parseUrl` returns a URL. */
export function isUrl(text: string, base?: string): boolean {
  return parseUrl(text, base) !== undefined;
}
