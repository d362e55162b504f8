/** A date-time that was read. */
interface DateReading {
  /** RFC 3339 in whole seconds and UTC, such as `2005-05-21T09:43:33Z`. */
  readonly dateTime: string;
  /**
   * Whether it is written as SSE 1.2 asks: by RFC 822 with a year of four digits and seconds, as GMT, and on
   * the day of the week that it was.
   */
  readonly isStrict: boolean;
  /**
   * Whether it is written by RFC 822 (5.1), with a year of two or of four digits (RSS 2.0), and on the day of
   * the week that it was.
   */
  readonly isRfc822: boolean;
}

/** Longer texts are no dates; so no pattern has much to do. */
const maximumLength = 100;
const minutesAndSeconds = String.raw`([0-9]{2})(?::([0-9]{2})(?:\.[0-9]+)?)?`;
const rfc822 = new RegExp(
  String.raw`^(?:([a-z]+)\.?,? *)?([0-9]{1,2})[ -]([a-z]{3})[a-z]*\.?[ -]([0-9]{2,4}),? ` +
    `([0-9]{1,2}):${minutesAndSeconds}(?: ?([a-z]{1,5})?([+-][0-9]{1,2}:?[0-9]{2})?)?$`,
  'i',
);
const rfc3339 = new RegExp(
  `^([0-9]{4})-([0-9]{2})-([0-9]{2})[t ]([0-9]{2}):${minutesAndSeconds} ?` +
    '(?:z|([+-][0-9]{2}:?[0-9]{2}))?$',
  'i',
);
const monthName = '(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)';
const dayAndMonth = `(?:(?:Sun|Mon|Tue|Wed|Thu|Fri|Sat), )?[0-9]{1,2} ${monthName}`;
const strict = new RegExp(`^${dayAndMonth} [0-9]{4} [0-9]{2}:[0-9]{2}:[0-9]{2} GMT$`);
const zoneName = '(?:UT|GMT|[ECMP][SD]T|[A-IK-Z]|[+-][0-9]{4})';
const written = new RegExp(
  `^${dayAndMonth} (?:[0-9]{2}|[0-9]{4}) [0-9]{2}:[0-9]{2}(?::[0-9]{2})? ${zoneName}$`,
);
const monthNames = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const dayNames = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
/** In hours; any other name stands for GMT (RFC 2822 4.3). */
const zones: ReadonlyMap<string, number> = new Map([
  ['EST', -5],
  ['EDT', -4],
  ['CST', -6],
  ['CDT', -5],
  ['MST', -7],
  ['MDT', -6],
  ['PST', -8],
  ['PDT', -7],
]);

/**
 * Reads a date of RFC 822 as leniently as readers of RSS do: the day of the week may be missing or wrong, the
 * year may have two digits (RFC 2822 4.3), seconds and zone may be missing, the zone may be a name or an
 * offset, comments are dropped. Dates of RFC 3339 are read as well. Returns undefined for what is no date, or
 * a day that does not exist.
 */
export function readDate(text: string): DateReading | undefined {
  if (text.length > maximumLength) return undefined;
  const plain = strict.test(text) ? text : withoutComments(text).replace(/\s+/g, ' ').trim();
  const match = rfc822.exec(plain);
  if (match === null) return readRfc3339(plain);
  const [, dayName, day = '', monthName = '', year = '', hour = '', minute = '', second, zone, offset] =
    match;
  const month = monthNames.indexOf(monthName.toLowerCase());
  const local = timeOf(fullYear(year), month, Number(day), Number(hour), Number(minute), Number(second ?? 0));
  if (local === undefined) return undefined;
  const isRightDay = dayName === undefined || dayName.toLowerCase() === dayNames[new Date(local).getUTCDay()];
  const dateTime = inUtc(
    local,
    offset === undefined ? (zones.get(zone?.toUpperCase() ?? '') ?? 0) * 60 : minutesOf(offset),
  );
  return dateTime === undefined
    ? undefined
    : { dateTime, isStrict: isRightDay && strict.test(plain), isRfc822: isRightDay && written.test(plain) };
}

function readRfc3339(text: string): DateReading | undefined {
  const match = rfc3339.exec(text);
  if (match === null) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match
    .slice(1, 7)
    .map((part) => Number(part ?? 0));
  const local = timeOf(year, month - 1, day, hour, minute, second);
  const dateTime =
    local === undefined ? undefined : inUtc(local, match[7] === undefined ? 0 : minutesOf(match[7]));
  return dateTime === undefined ? undefined : { dateTime, isStrict: false, isRfc822: false };
}

/** Comments are in parentheses and nest (RFC 822 3.1.4). */
function withoutComments(text: string): string {
  const shorter = text.replace(/\([^()]*\)/g, ' ');
  return shorter === text ? text : withoutComments(shorter);
}

function fullYear(digits: string): number {
  const year = Number(digits);
  if (digits.length === 4) return year;
  return year < 50 && digits.length === 2 ? year + 2000 : year + 1900;
}

/**
 * Milliseconds since 1970, with months from 0 and second 60 as the beginning of the next minute; undefined
 * if there is no such time.
 */
function timeOf(
  year: number,
  month: number,
  day: number,
  hour: number,
  minute: number,
  second: number,
): number | undefined {
  if (month < 0 || hour > 23 || minute > 59 || second > 60) return undefined;
  const date = new Date(0);
  date.setUTCFullYear(year, month, day);
  if (date.getUTCMonth() !== month || date.getUTCDate() !== day) return undefined;
  return date.setUTCHours(hour, minute, second);
}

function minutesOf(offset: string): number {
  const digits = offset.slice(1).replace(':', '').padStart(4, '0');
  const minutes = Number(digits.slice(0, 2)) * 60 + Number(digits.slice(2));
  return offset.startsWith('-') ? -minutes : minutes;
}

function inUtc(local: number, offset: number): string | undefined {
  const text = new Date(local - offset * 60_000).toISOString();
  return /^[0-9]{4}-/.test(text) ? `${text.slice(0, 19)}Z` : undefined;
}
