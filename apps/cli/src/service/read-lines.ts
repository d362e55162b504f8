/**
 * The lines of a UTF-8 text, which end in CR LF, LF or CR; what follows the last line end is left out.
 */
export async function* readLines(body: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest: string[] = [];
  let endsInReturn = false;
  for await (const bytes of body) {
    const text: string = `${endsInReturn ? '\r' : ''}${decoder.decode(bytes, { stream: true })}`;
    // A CR at the very end may be the first half of CR LF: it waits for what follows.
    endsInReturn = text.endsWith('\r');
    const [first = '', ...lines] = (endsInReturn ? text.slice(0, -1) : text).split(/\r\n|\n|\r/);
    rest.push(first);
    for (const line of lines) {
      yield rest.join('');
      rest = [line];
    }
  }
}
