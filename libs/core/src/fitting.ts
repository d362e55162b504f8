/**
 * Those of some values that fit into a length together, in their order; what is too long is left out.
 * @param lengthOf how much a value takes
 */
export function fitting<Value>(
  values: readonly Value[],
  length: number,
  lengthOf: (value: Value) => number,
): Value[] {
  let room = length;
  return values.filter((value) => {
    const fits = lengthOf(value) <= room;
    if (fits) room -= lengthOf(value);
    return fits;
  });
}
