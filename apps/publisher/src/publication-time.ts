/**
 * The time that a block of an SSE or CSE collection is published under, in whole seconds: what `until` says
 * from then on (SSE 2.1), and the `csx:lastBuildDate` of its items (CSE). It is later than the last one even
 * within the same second and after the clock went back, since both must grow with every update.
 */
export function publicationTime(now: Date, last: Date): Date {
  const second = Math.floor(now.getTime() / 1000);
  const following = Math.floor(last.getTime() / 1000) + 1;
  return new Date(Math.max(second, following) * 1000);
}
