/** How often a property is tried: `PROPERTY_RUNS`, or the number that keeps the default run short. */
export function runs(byDefault: number): { numRuns: number } {
  const wanted = Number(process.env['PROPERTY_RUNS'] ?? byDefault);
  if (!Number.isSafeInteger(wanted) || wanted < 1)
    throw new RangeError(`PROPERTY_RUNS is a whole number from 1, not ${process.env['PROPERTY_RUNS']}`);
  return { numRuns: wanted };
}
