/**
 * Whether a text is a URL, or a reference to one that can be resolved against the base. `URL.canParse` of
 * Node 20 is not asked: once it is optimized, it answers wrongly for some texts that are not ASCII.
 */
export function isUrl(text: string, base?: string): boolean {
  try {
    return new URL(text, base).href !== '';
  } catch {
    return false;
  }
}
