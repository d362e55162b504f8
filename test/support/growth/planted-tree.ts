import type { GatewayUnderTest } from '../../medium/gateway/gateway-under-test.ts';

/**
 * Makes a tree of our own whose root has so many items, `root:feed-0` onwards, each with a feed below it that
 * has `items` items, and publishes it.
 */
export async function plantTree(
  gateway: GatewayUnderTest,
  name: string,
  feeds: number,
  items: number,
): Promise<void> {
  const tree = `/v1/collections/${name}`;
  await sendToTree(gateway, 'PUT', tree, { protocol: 'cse' });
  for (let first = 0; first < feeds; first += 40)
    await Promise.all(
      Array.from({ length: Math.min(40, feeds - first) }, (_, place) =>
        plantFeed(gateway, tree, `feed-${first + place}`, items),
      ),
    );
  await gateway.publish(name);
}

/** Sends a request, and throws with its response unless that is 2xx. */
export async function sendToTree(
  gateway: Pick<GatewayUnderTest, 'send'>,
  method: string,
  path: string,
  body?: unknown,
): Promise<void> {
  const response = await gateway.send(method, path, body);
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${text}`);
}

async function plantFeed(
  gateway: GatewayUnderTest,
  tree: string,
  feed: string,
  items: number,
): Promise<void> {
  await sendToTree(gateway, 'PUT', `${tree}/feeds/${feed}`);
  await sendToTree(gateway, 'POST', `${tree}/items`, { guid: feed, title: feed, links: [{ feed }] });
  for (let item = 0; item < items; item += 1)
    await sendToTree(gateway, 'POST', `${tree}/items`, {
      feed,
      guid: `${feed}.${item}`,
      title: `${feed}, item ${item}`,
    });
}
