/** Hours of a day, then days of a week, Sunday first, in UTC. */
const hours = 24;
const days = 7;
const places = hours + days;

const hour = 3_600_000;
const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const base = digits.length;
const largest = base ** 3 - 1;
const valueOf = new Map(digits.split('').map((digit, value) => [digit, value]));

/** Adds to hour and day what is around a time: the nearer the middle of one, the more of it. */
function addAround(counts: number[], offset: number, length: number, at: number, weight: number): void {
  const before = Math.floor(at - 0.5);
  const later = at - 0.5 - before;
  const first = offset + ((before + length) % length);
  const second = offset + ((before + 1) % length);
  counts[first] = (counts[first] ?? 0) + weight * (1 - later);
  counts[second] = (counts[second] ?? 0) + weight * later;
}

/** A place in the week. Times are in milliseconds since 1970, which began on a Thursday. */
function hourOf(time: number): number {
  return Math.floor(time / hour) % hours;
}

function dayOf(time: number): number {
  return (Math.floor(time / (hours * hour)) + 4) % days;
}

/**
 * Adds changes to the shares of former ones.
 * @param weight what the former ones weigh, where each of the new ones weighs 1
 */
export function withChanges(week: string, weight: number, times: readonly number[]): string {
  const counts = Array.from({ length: places }, (_, place) => shareAt(week, place) * weight);
  for (const time of times) {
    addAround(counts, 0, hours, (time / hour) % hours, 1);
    const day = hours + dayOf(time);
    counts[day] = (counts[day] ?? 0) + 1;
  }
  return written(counts.slice(0, hours)) + written(counts.slice(hours));
}

/** Which part of the changes was in the hour of a time, and which on its day of the week; 0 of none. */
export function hourShare(week: string, time: number): number {
  return shareAt(week, hourOf(time));
}

export function dayShare(week: string, time: number): number {
  return shareAt(week, hours + dayOf(time));
}

function shareAt(week: string, place: number): number {
  const digit = (index: number): number => valueOf.get(week.charAt(3 * place + index)) ?? 0;
  return ((digit(0) * base + digit(1)) * base + digit(2)) / largest;
}

/** What was rounded again and again does not add up to 1 until it is divided by its own sum. */
function written(counts: readonly number[]): string {
  const sum = counts.reduce((total, count) => total + count, 0);
  return counts
    .map((count) => {
      const value = sum === 0 ? 0 : Math.round((count / sum) * largest);
      const [high, middle] = [Math.floor(value / base ** 2), Math.floor(value / base) % base];
      return digits.charAt(high) + digits.charAt(middle) + digits.charAt(value % base);
    })
    .join('');
}
