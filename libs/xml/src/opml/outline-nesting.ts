/** What an outline ends in that `writeSseItem` wrote. */
export const outlineEnd = '</outline>';

/**
 * A written outline without its end, so that others can be written into it; `outlineEnd` is to follow them.
 */
export function openOutline(written: string): string {
  return written.slice(0, -outlineEnd.length);
}
