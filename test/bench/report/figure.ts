/** A number with three digits that count. */
export function figure(value: number): string {
  if (value >= 1000) return String(Math.round(value));
  return value >= 100 ? value.toFixed(0) : value.toPrecision(3);
}
