/**
 * The time that a block of an SSE collection is published under, in whole seconds: what `until` says from then on. It is later than
 * the last one even within the same second and after the clock went back, since `until` must grow with every update (SSE 2.1).
 */
export function publicationTime(now: Date, last: Date): Date {
  const second = Math.floor(now.getTime() / 1000);
  const following = Math.floor(last.getTime() / 1000) + 1;
  return new Date(Math.max(second, following) * 1000);
}
