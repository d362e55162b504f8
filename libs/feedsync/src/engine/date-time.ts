const pattern = /^([0-9]{4})-([0-9]{2})-([0-9]{2})T([0-9]{2}):([0-9]{2}):([0-9]{2})Z$/;

/**
 * Whether a text is a date-time of 2.1.5: RFC 3339 in whole seconds and UTC, such as `2005-05-21T09:43:33Z`,
 * on a day that exists. The second 60 is allowed. `T` and `Z` are upper-case, so that such texts sort in the
 * order of time.
 */
export function isDateTime(text: string): boolean {
  const match = pattern.exec(text);
  if (match === null) return false;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match.slice(1).map(Number);
  return (
    month >= 1 &&
    month <= 12 &&
    day >= 1 &&
    day <= daysIn(year, month) &&
    hour <= 23 &&
    minute <= 59 &&
    second <= 60
  );
}

function daysIn(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}
