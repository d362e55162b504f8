/** A response's header as undici gives it: lower-case names, a list if a name came more than once. */
export type Header = Readonly<Record<string, string | string[] | undefined>>;

/** The value of a field that may come once only: the first. Undefined if it is absent or empty. */
export function fieldOf(header: Header, name: string): string | undefined {
  const value = header[name];
  const first = Array.isArray(value) ? value[0] : value;
  return first === undefined || first === '' ? undefined : first;
}

/** The values of a field that may come several times, joined with commas (RFC 9110, 5.3). */
export function joinedFieldOf(header: Header, name: string): string | undefined {
  const value = header[name];
  const joined = Array.isArray(value) ? value.join(', ') : value;
  return joined === '' ? undefined : joined;
}

/** The members of a field that is a comma-separated list, in lower case, without the empty ones. */
export function listOf(header: Header, name: string): string[] {
  const value = header[name] ?? '';
  const whole = Array.isArray(value) ? value.join(',') : value;
  return whole
    .split(',')
    .map((member) => member.trim().toLowerCase())
    .filter((member) => member !== '');
}
