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
const time = String.raw`(?<hour>[0-9]{1,2}):(?<minute>[0-9]{2})(?::(?<second>[0-9]{2})(?:[.,][0-9]+)?)?`;
const zone = '(?: ?(?<zone>[a-z]{1,5}))?(?: ?(?<offset>[+-][0-9]{1,2}:?[0-9]{2}))?(?: [a-z]{1,5})?';
const half = String.raw`(?: ?(?<half>[ap])\.?m\.?(?![a-z]))?`;
const day = '(?<day>[0-9]{1,2})';
const month = String.raw`(?<month>[a-z]{3})[a-z]*\.?`;
/** How dates are written: by RFC 822, month first, by `asctime` of C, and by W3CDTF and so RFC 3339. */
const forms = [
  String.raw`(?:(?<dayName>[a-z]+)\.?,? *)?${day}[ -]${month}[ -](?<year>[0-9]{2,4})` +
    `(?:,? ${time}${half}${zone})?`,
  String.raw`(?:(?<dayName>[a-z]+)(?:\.?, *|\.? ))?${month} ${day}(?:st|nd|rd|th)?,? ` +
    `(?<year>[0-9]{4})(?:,? ${time}${half}${zone})?`,
  String.raw`(?<dayName>[a-z]+)\.?,? ${month} ${day} ${time}${zone} (?<year>[0-9]{4})`,
  `(?<year>[0-9]{4})(?:-(?<monthNumber>[0-9]{2})(?:-(?<day>[0-9]{2})(?:[t ]${time}${zone})?)?)?`,
].map((form) => new RegExp(`^${form}$`, 'i'));
const monthName = '(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)';
const dayAndMonth = `(?:(?:Sun|Mon|Tue|Wed|Thu|Fri|Sat), )?[0-9]{1,2} ${monthName}`;
const strict = new RegExp(`^${dayAndMonth} [0-9]{4} [0-9]{2}:[0-9]{2}:[0-9]{2} GMT$`);
const zoneName = '(?:UT|GMT|[ECMP][SD]T|[A-IK-Z]|[+-][0-9]{4})';
const written = new RegExp(
  `^${dayAndMonth} (?:[0-9]{2}|[0-9]{4}) [0-9]{2}:[0-9]{2}(?::[0-9]{2})? ${zoneName}$`,
);
const monthNames = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const dayNames = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
/** Minutes from UTC; any other name stands for it (RFC 2822 4.3). */
const zones: ReadonlyMap<string, number> = new Map(
  Object.entries({
    NST: -210,
    NDT: -150,
    AST: -240,
    ADT: -180,
    EST: -300,
    EDT: -240,
    CST: -360,
    CDT: -300,
    MST: -420,
    MDT: -360,
    PST: -480,
    PDT: -420,
    AKST: -540,
    AKDT: -480,
    HST: -600,
    BRT: -180,
    ART: -180,
    WEST: 60,
    BST: 60,
    CET: 60,
    MEZ: 60,
    CEST: 120,
    MESZ: 120,
    EET: 120,
    SAST: 120,
    EEST: 180,
    MSK: 180,
    PKT: 300,
    IST: 330,
    WIB: 420,
    AWST: 480,
    HKT: 480,
    SGT: 480,
    JST: 540,
    KST: 540,
    ACST: 570,
    ACDT: 630,
    AEST: 600,
    AEDT: 660,
    NZST: 720,
    NZDT: 780,
  }),
);

/**
 * Reads a date as leniently as readers of feeds do: of RFC 822 with the day of the week missing or wrong, a
 * year of two digits (RFC 2822 4.3), without seconds, zone or time, with a zone by name or an offset and with
 * comments, which are dropped; with the month before the day; of `asctime`; of W3CDTF and RFC 3339. A date
 * without a time is its first second, a time without a zone is in UTC. Returns undefined for what is no date,
 * or a day that does not exist.
 */
export function readDate(text: string): DateReading | undefined {
  if (text.length > maximumLength) return undefined;
  const plain = strict.test(text) ? text : withoutComments(text).replace(/\s+/g, ' ').trim();
  for (const form of forms) {
    const said = form.exec(plain)?.groups;
    const local = said && localTime(said);
    if (said === undefined || local === undefined) continue;
    const { dayName, offset, zone: zoneName = '' } = said;
    const isRightDay =
      dayName === undefined || dayName.toLowerCase() === dayNames[new Date(local).getUTCDay()];
    const dateTime = inUtc(
      local,
      offset === undefined ? (zones.get(zoneName.toUpperCase()) ?? 0) : minutesOf(offset),
    );
    if (dateTime !== undefined)
      return {
        dateTime,
        isStrict: isRightDay && strict.test(plain),
        isRfc822: isRightDay && written.test(plain),
      };
  }
  return undefined;
}

/** The time that the parts of a date say, in milliseconds as `timeOf` has it. */
function localTime(said: Readonly<Record<string, string | undefined>>): number | undefined {
  const { year = '', month: name, monthNumber = '01', day: date = '1', half: halfDay } = said;
  const { hour = '0', minute = '0', second = '0' } = said;
  // The end of a day (ISO 8601), which RFC 822 does not have.
  if (hour === '24' && name !== undefined) return undefined;
  const place = name === undefined ? Number(monthNumber) - 1 : monthNames.indexOf(name.toLowerCase());
  if (halfDay === undefined)
    return timeOf(fullYear(year), place, Number(date), Number(hour), Number(minute), Number(second));
  if (Number(hour) < 1 || Number(hour) > 12) return undefined;
  const hours = (Number(hour) % 12) + (halfDay.toLowerCase() === 'p' ? 12 : 0);
  return timeOf(fullYear(year), place, Number(date), hours, Number(minute), Number(second));
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
  if (month < 0 || minute > 59 || second > 60) return undefined;
  if (hour > 24 || (hour === 24 && minute + second > 0)) return undefined;
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
