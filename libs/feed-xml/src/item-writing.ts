import type { Item } from '#feedsync';
import { formatNamespace, itemName, syncNamespace } from './namespace.ts';
import type { Format, Payload, Scope } from './payload.ts';
import { publish } from './publisher.ts';
import type { PublisherData } from './publisher.ts';
import { declareOn, writeDeclaration, writeInherited } from './start-tag.ts';
import { writeAttributes, writeSync } from './sync-writing.ts';

/** The bindings in force where something is written, by prefix. */
type Bindings = ReadonlyMap<string, string>;

/** The bindings that `writeFeedStart` declares for the items of a feed. */
const feedBindings: Readonly<Record<Format, Bindings>> = {
  atom: new Map([['', formatNamespace('atom')], ['sx', syncNamespace]]),
  rss: new Map([['sx', syncNamespace]]),
};

/**
 * The item as it stands inside a feed of its payload's format that `writeFeedStart` began: the children as they were, `sx:sync`
 * (2.4) last. With `publisher`, what belongs to the publisher alone is replaced by its own data; the conflicts stay as they are.
 * Throws `FeedError` (rule `xml-character`) for text that XML can't hold.
 */
export function writeItem(item: Item<Payload>, publisher?: PublisherData): string {
  return writeVersion(item, feedBindings[item.data.format], publisher);
}

function writeVersion({ data, sync, conflicts }: Item<Payload>, outer: Bindings, publisher?: PublisherData): string {
  const name = itemName(data.format);
  const { declarations, bindings, toChildren } = placeScope(data, outer, conflicts.length > 0);
  const { children, added } = publisher === undefined ? { children: data.children, added: '' } : publish(data, publisher);
  let written = `<${name}${declarations}${data.attributes === undefined ? '' : writeAttributes(data.attributes, bindings)}>`;
  const writeChild = toChildren === undefined ? (xml: string) => xml : (xml: string) => declareOn(xml, toChildren);
  for (const child of children) written += writeChild(child.xml);
  const nested = conflicts.map((conflict) => writeVersion(conflict, bindings)).join('');
  return `${written}${added}${writeSync(sync, nested, bindings, writeChild)}</${name}>`;
}

/**
 * Where a payload's scope goes. On the item's own element stand the bindings that clash with nothing we use there, and, where no
 * conflict inside would inherit them, `xml:base` and `xml:lang`; the rest goes to each child.
 */
function placeScope({ format, scope }: Payload, outer: Bindings, hasConflicts: boolean): { declarations: string; bindings: Bindings; toChildren?: Scope } {
  const bindings = new Map(outer);
  let declarations = '';
  const namespace = formatNamespace(format);
  if ((outer.get('') ?? '') !== namespace) {
    declarations += writeDeclaration('', namespace);
    bindings.set('', namespace);
  }
  const clashing: (readonly [string, string])[] = [];
  let defaultNamespace = '';
  for (const binding of scope.namespaces) {
    const [prefix, name] = binding;
    if (prefix === '') defaultNamespace = name;
    else if (bindings.get(prefix) === name) continue;
    else if (prefix === 'sx') clashing.push(binding);
    else {
      declarations += writeDeclaration(prefix, name);
      bindings.set(prefix, name);
    }
  }
  if (defaultNamespace !== namespace) clashing.push(['', defaultNamespace]);
  const isInherited = scope.base !== undefined || scope.language !== undefined;
  if (isInherited && !hasConflicts) declarations += writeInherited(scope);
  if (clashing.length === 0 && !(isInherited && hasConflicts)) return { declarations, bindings };
  return { declarations, bindings, toChildren: hasConflicts ? { ...scope, namespaces: clashing } : { namespaces: clashing } };
}
