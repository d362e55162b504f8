const safeMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Whether requests with this method change nothing (RFC 9110, 9.2.1). TRACE is not offered. */
export function isSafe(method: string): boolean {
  return safeMethods.has(method);
}
