/** An RFC 3339 date-time as RSS 2.0 wants it, such as `Sat, 21 May 2005 09:43:33 GMT`. Throws `RangeError` for any other text. */
export function rfc822Date(dateTime: string): string {
  const date = new Date(dateTime);
  if (Number.isNaN(date.getTime())) throw new RangeError(`Not an RFC 3339 date-time: ${JSON.stringify(dateTime)}.`);
  return date.toUTCString();
}
