import type { GatewayUnderTest } from '../../medium/gateway/gateway-under-test.ts';

/** A stream of changes that counts the events it has got so far. */
export interface ChangeStream {
  events(): number;
  close(): Promise<void>;
}

/** Opens the event stream of a collection from its first event on. */
export async function openChangeStream(
  gateway: Pick<GatewayUnderTest, 'url'>,
  collection: string,
): Promise<ChangeStream> {
  const closing = new AbortController();
  const response = await fetch(`${gateway.url}/v1/collections/${collection}/changes?mode=stream`, {
    signal: closing.signal,
  });
  let text = '';
  const read = (async () => {
    const decoder = new TextDecoder();
    for await (const piece of response.body ?? [])
      text += decoder.decode(piece as Uint8Array, { stream: true });
  })().catch(() => {});
  return {
    events: () => text.split('\nevent: ').length - 1,
    async close() {
      closing.abort();
      await read;
    },
  };
}
