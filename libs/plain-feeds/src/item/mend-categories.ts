import { atomNamespace, dublinCoreNamespace, formatNamespace, readContent } from '#xml';
import type { Child, FeedFormat } from '#xml';
import { element, writeValue } from './value-element.ts';

/**
 * The children of an item with each category once, without empty ones, and with a category for each subject
 * of Dublin Core.
 */
export function mendCategories(children: readonly Child[], format: FeedFormat): Child[] {
  const known = new Set<string>();
  const isNew = (term: string): boolean => term !== '' && known.size < known.add(term).size;
  const isOwn = ({ namespace, name }: Child): boolean =>
    name === 'category' && namespace === formatNamespace(format);
  const own = children.flatMap((child) => {
    if (!isOwn(child)) return child;
    const { term, scheme, written } = categoryOf(child, format);
    if (term === '' || !isNew(`${scheme} ${term}`)) return [];
    known.add(term);
    return written === term || format === 'atom' ? child : writeValue(child, term);
  });
  const subjects = children
    .filter(({ namespace, name }) => namespace === dublinCoreNamespace && name === 'subject')
    .map(({ xml }) => readContent(xml).text.replace(/\s+/g, ' ').trim())
    .filter(isNew);
  return [...own, ...subjects.map((term) => category(term, format))];
}

function categoryOf({ xml }: Child, format: FeedFormat): { term: string; scheme: string; written: string } {
  const { text, attributes } = readContent(xml);
  const written = format === 'atom' ? (attributes.get('term') ?? '') : text;
  return {
    term: written.trim(),
    scheme: attributes.get(format === 'atom' ? 'scheme' : 'domain') ?? '',
    written,
  };
}

function category(term: string, format: FeedFormat): Child {
  return format === 'atom'
    ? element({ namespace: atomNamespace, name: 'category' }, [['term', term]])
    : element({ namespace: '', name: 'category' }, [], term);
}
