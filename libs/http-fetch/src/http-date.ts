const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const time = String.raw`(?<hour>\d{2}):(?<minute>\d{2}):(?<second>\d{2})`;
const formats = [
  new RegExp(String.raw`^[A-Z][a-z]{2}, (?<day>\d{2}) (?<month>[A-Z][a-z]{2}) (?<year>\d{4}) ${time} GMT$`),
  new RegExp(String.raw`^[A-Z][a-z]{5,8}, (?<day>\d{2})-(?<month>[A-Z][a-z]{2})-(?<year>\d{2}) ${time} GMT$`),
  new RegExp(String.raw`^[A-Z][a-z]{2} (?<month>[A-Z][a-z]{2}) (?<day>[ \d]\d) ${time} (?<year>\d{4})$`),
];

/**
 * Reads the three date formats of HTTP (RFC 9110, 5.6.7) into milliseconds since 1970; undefined for anything
 * else. A year of two digits is the one that lies less than 50 years after `now` (milliseconds).
 */
export function parseHttpDate(text: string, now: number): number | undefined {
  for (const format of formats) {
    const parts = format.exec(text)?.groups;
    if (parts === undefined) continue;
    const month = months.indexOf(parts['month'] ?? '');
    const day = Number(parts['day']);
    const [hour, minute, second] = [Number(parts['hour']), Number(parts['minute']), Number(parts['second'])];
    const date = new Date(
      Date.UTC(fullYear(parts['year'] ?? '', now), month, day, hour, minute, Math.min(second, 59)),
    );
    const exists =
      month >= 0 &&
      date.getUTCDate() === day &&
      date.getUTCHours() === hour &&
      date.getUTCMinutes() === minute &&
      second <= 60;
    return exists ? date.getTime() : undefined;
  }
  return undefined;
}

function fullYear(digits: string, now: number): number {
  if (digits.length === 4) return Number(digits);
  const latest = new Date(now).getUTCFullYear() + 50;
  const year = latest - (latest % 100) + Number(digits);
  return year > latest ? year - 100 : year;
}
