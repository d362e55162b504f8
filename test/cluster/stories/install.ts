import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { operatorCommands } from '../../../tools/chart/operator-commands.ts';
import { run } from '../../../tools/programs/index.ts';
import type { ClusterPrograms } from '../../../tools/cluster/index.ts';
import { FeedServer } from '../feed-server.ts';
import { eventually, fillIn, namespace, replacements } from '../installation.ts';
import type { Installation } from '../installation.ts';

/**
 * An operator types the README's commands, in a namespace that enforces the restricted standard. An item of
 * the subscribed feed arrives, one that is published later too, and both have change events. `helm test`
 * succeeds.
 */
export async function install(
  installation: Installation,
  programs: ClusterPrograms,
  folder: string,
): Promise<void> {
  const feed = await FeedServer.start();
  feed.publish('the first');
  const environment = { ...installation.plane.environment, PATH: await commandPath(programs, folder) };
  const urls = { 'https://peer.example/feeds/news.atom': feed.url };
  const [createNamespace = '', ...others] = await operatorCommands('README.md');
  await run('sh', ['-c', createNamespace], { environment });
  const level = 'pod-security.kubernetes.io/enforce=restricted';
  await installation.plane.kubectl(['label', 'namespace', namespace, level]);
  for (const command of others) {
    installation.say(`$ ${command}`);
    const output = await run('sh', ['-c', fillIn(command, { ...replacements, ...urls })], { environment });
    for (const line of output.trim().split('\n').slice(-3)) installation.say(`  ${line}`);
  }
  await hasItem(installation, 'news.0', 'the first');
  feed.publish('the second');
  const shown = await fetch(`${installation.url}/v1/collections/news/subscriptions`);
  const { items } = (await shown.json()) as { readonly items: readonly { readonly id: string }[] };
  const cli = ['exec', 'deploy/feedmesh-gateway', '--', 'feedmesh'];
  await installation.kubectl(...cli, 'refresh', 'news', items[0]?.id ?? '');
  await hasItem(installation, 'news.1', 'the second');
  const test = await installation.plane.helm(['test', 'feedmesh', '--namespace', namespace, '--logs']);
  installation.say(`helm test: ${/^.* is ready$/m.exec(test)?.[0]}`);
}

/** Waits until an item is in the collection `news`, and in a change event of it. */
async function hasItem({ url, say }: Installation, id: string, title: string): Promise<void> {
  const expected = { items: title, changes: `"subject":"${id}"` };
  for (const [what, text] of Object.entries(expected))
    await eventually(`${what} with ${text}`, async () => {
      const response = await fetch(`${url}/v1/collections/news/${what}`);
      return response.ok && (await response.text()).includes(text);
    });
  say(`${title} item has arrived`);
}

/** A PATH on which `kubectl` and `helm` are those of this cluster. */
async function commandPath(programs: ClusterPrograms, folder: string): Promise<string> {
  const bin = join(folder, 'bin');
  await mkdir(bin);
  await symlink(programs.helm, join(bin, 'helm'));
  return `${bin}:${programs.kubernetes}:${process.env['PATH']}`;
}
