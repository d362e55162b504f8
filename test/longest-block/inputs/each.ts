/** Text for each number below `count`. */
export const each = (count: number, text: (number: number) => string): string =>
  Array.from({ length: count }, (_, number) => text(number)).join('');
