/** A step that did not end in its time; what it was doing may still happen. */
class TimeLimitError extends Error {
  override readonly name = 'TimeLimitError';
}

/**
 * The promise's result, or `TimeLimitError` after so many milliseconds; `setting` is the name of the limit.
 */
export async function withTimeout<T>(milliseconds: number, setting: string, promise: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(
      () => reject(new TimeLimitError(`no answer in ${milliseconds} ms (${setting})`)),
      milliseconds,
    );
  });
  try {
    return await Promise.race([promise, limit]);
  } finally {
    clearTimeout(timer);
  }
}
