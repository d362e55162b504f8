/**
 * An RFC 3339 date-time as RSS 2.0 and SSE 1.2 want it, such as `Sat, 21 May 2005 09:43:33 GMT`. The second
 * 60 becomes 59. Throws `RangeError` for any other text.
 */
export function rfc822Date(dateTime: string): string {
  const date = new Date(dateTime.replace(':60Z', ':59Z'));
  if (Number.isNaN(date.getTime()))
    throw new RangeError(`Not an RFC 3339 date-time: ${JSON.stringify(dateTime)}.`);
  return date.toUTCString();
}
