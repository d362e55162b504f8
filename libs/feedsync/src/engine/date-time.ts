const pattern = /^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$/;

/**
 * Whether a text is a date-time of 2.1.5: RFC 3339 in whole seconds and UTC, such as `2005-05-21T09:43:33Z`,
 * on a day that exists. The second 60 is allowed. `T` and `Z` are upper-case, so that such texts sort in the
 * order of time.
 */
export function isDateTime(text: string): boolean {
  if (!pattern.test(text)) return false;
  const number = (start: number, end: number): number => Number(text.slice(start, end));
  const [month, day] = [number(5, 7), number(8, 10)];
  return (
    month >= 1 &&
    month <= 12 &&
    day >= 1 &&
    day <= daysIn(number(0, 4), month) &&
    number(11, 13) <= 23 &&
    number(14, 16) <= 59 &&
    number(17, 19) <= 60
  );
}

function daysIn(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}
