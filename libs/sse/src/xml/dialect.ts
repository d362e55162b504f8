import { checkElements, readTree, ViolationList } from '#xml';
import type { Dialect, Fragment, Violation } from '#xml';
import { positionNamespace, sseNamespaces } from './namespace.ts';
import { sseRules } from './rule.ts';
import { readSseSharing } from './sharing-reading.ts';
import { writeSseSharing } from './sharing-writing.ts';
import { sseVocabulary } from './vocabulary.ts';

/** The markup of Simple Sharing Extensions 0.91. */
export const sseDialect: Dialect = {
  namespaces: Object.values(sseNamespaces),
  documents: {
    formats: ['rss', 'opml'],
    section: 'SSE 1',
    sentence: 'a feed of Simple Sharing Extensions has an rss or an opml element',
  },
  ordersItems: true,
  readHead(children, misplaced) {
    const { sharing, violations } = readSseSharing(children);
    return {
      ...(sharing !== undefined && { sharing }),
      violations: [...violations, ...misplaced.flatMap(misplacement)],
    };
  },
  bindings({ namespaces }) {
    const isHttp = namespaces.some(([, namespace]) => namespace === sseNamespaces.http);
    return [
      ['sx', sseNamespaces[isHttp ? 'http' : 'https']],
      ['fm', positionNamespace],
    ];
  },
  writeSharing: writeSseSharing,
};

function misplacement(fragment: Fragment): readonly Violation[] {
  const violations = new ViolationList(fragment, sseRules);
  checkElements([readTree(fragment.xml)], [], violations, sseVocabulary);
  return violations.all;
}
