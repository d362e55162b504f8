/**
 * Those of some values that fit into a length together, each as far as there is room left when its turn comes.
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
