import { protocols } from '#protocols';
import { lastWriterWins } from '../../toy-protocol/last-writer-wins.ts';
import { describeProtocol } from './protocol.acceptance.ts';
import { describeSharingProtocol } from './sharing-protocol.acceptance.ts';

// What a tree says of its items: the feed that they are in, and their place there.
const inTree = {
  branch: { feed: 'root', guid: 'a', hidden: false, links: [] },
  position: { parent: 'root', key: 'V' },
} as const;

for (const [name, protocol] of [...protocols, ['last-writer-wins', lastWriterWins] as const])
  if (protocol.structure === 'items') describeSharingProtocol(name, protocol);
  else describeProtocol(name, protocol, inTree);
