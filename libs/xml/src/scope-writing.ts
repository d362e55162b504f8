import { dependsOnDefaultNamespace } from './default-namespace.ts';
import { formatNamespace } from './namespace.ts';
import { usedBindings } from './needed-scope.ts';
import type { Payload, Scope } from './payload.ts';
import { declareOn, writeDeclaration, writeInherited } from './start-tag.ts';

/** The bindings in force where something is written, by prefix. */
export type Bindings = ReadonlyMap<string, string>;

/** Where the parts of a payload's scope are declared. */
interface PlacedScope {
  /** To stand in the start tag of the item's own element. */
  readonly declarations: string;
  /** What is in force inside that element. */
  readonly bindings: Bindings;
  /** Writes a child with what it needs of the rest declared on it. */
  readonly writeChild: (xml: string) => string;
}

/**
 * Where a payload's scope goes. On the item's own element stand the bindings that clash with nothing we use
 * there; the others go to each child that needs them.
 * @param outer what is in force around the item.
 * @param reserved the prefixes that our own markup in the item uses.
 * @param inherited whether `xml:base` and `xml:lang` go to the children too, as they must if something
 *   inside would inherit them wrongly.
 */
export function placeScope(
  { format, scope }: Pick<Payload, 'format' | 'scope'>,
  outer: Bindings,
  reserved: readonly string[],
  inherited: boolean,
): PlacedScope {
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
    else if (reserved.includes(prefix)) clashing.push(binding);
    else {
      declarations += writeDeclaration(prefix, name);
      bindings.set(prefix, name);
    }
  }
  if (defaultNamespace !== namespace) clashing.push(['', defaultNamespace]);
  const isInherited = scope.base !== undefined || scope.language !== undefined;
  if (isInherited && !inherited) declarations += writeInherited(scope);
  if (clashing.length === 0 && !(isInherited && inherited))
    return { declarations, bindings, writeChild: (xml) => xml };
  const toChildren = inherited ? { ...scope, namespaces: clashing } : { namespaces: clashing };
  return {
    declarations,
    bindings,
    writeChild: (xml) => declareOn(xml, { ...toChildren, namespaces: neededBy(xml, clashing) }),
  };
}

function neededBy(xml: string, clashing: Scope['namespaces']): Scope['namespaces'] {
  const used = usedBindings(xml, clashing);
  return dependsOnDefaultNamespace(xml) ? [...used, ...clashing.filter(([prefix]) => prefix === '')] : used;
}
