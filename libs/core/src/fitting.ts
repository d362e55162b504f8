/**
 * Those of some values that fit into a length together, in their order; what is too long is left out.
 * @param lengthOf how much a value takes
 */
export function fitting<Value>(
  values: readonly Value[],
  length: number,
  lengthOf: (value: Value) => number,
): Value[] {
  let left = length;
  return values.filter((value) => {
    const fits = lengthOf(value) <= left;
    if (fits) left -= lengthOf(value);
    return fits;
  });
}
