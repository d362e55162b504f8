/** The time that many seconds before another. */
export function before(time: Date, seconds: number): Date {
  return new Date(time.getTime() - seconds * 1000);
}

/** The time that many seconds after another. */
export function after(time: Date, seconds: number): Date {
  return before(time, -seconds);
}

/** The first time that is more than that many seconds after another. */
export function beyond(time: Date, seconds: number): Date {
  return new Date(after(time, seconds).getTime() + 1);
}

/** The first of these times, if any is given. */
export function earliest(...times: readonly (Date | undefined)[]): Date | undefined {
  const given = times.flatMap((time) => time?.getTime() ?? []);
  return given.length === 0 ? undefined : new Date(Math.min(...given));
}
