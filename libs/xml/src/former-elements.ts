import { escapeAttribute } from './escape.ts';
import { hasEncodedContent, readField } from './field-reading.ts';
import type { FieldValue } from './field-reading.ts';
import { formatNamespace } from './namespace.ts';
import { usedBindings } from './needed-scope.ts';
import type { Child, Payload } from './payload.ts';
import { declaredBindings, declareOn, isDeclaration, rawAttributes } from './start-tag.ts';
import type { Steps } from './steps.ts';
import { neededBindings } from './text-construct.ts';

/** The attributes that say the value of a field. */
const ofValues: ReadonlySet<string> = new Set(['href', 'rel', 'term']);

/** An element that is replaced, and what it said. */
interface Former {
  readonly child: Child;
  readonly read: FieldValue;
}

/** The elements of an item before an edit: what they say beside their values, such as `xml:lang`, stays. */
export class FormerElements {
  readonly #payload: Payload | undefined;
  readonly #elements = new Map<string, Former[]>();
  /** Whether it was an RSS item with `content:encoded`. */
  readonly hasEncoded: boolean;

  private constructor(payload: Payload | undefined) {
    this.#payload = payload;
    this.hasEncoded =
      payload !== undefined &&
      payload.format !== 'opml' &&
      hasEncodedContent(payload.children, payload.format);
  }

  /**
   * Reads the item before.
   * @param payload undefined for a new item
   */
  static *of(payload: Payload | undefined): Steps<FormerElements> {
    const former = new FormerElements(payload);
    if (payload === undefined || payload.format === 'opml') return former;
    const { children, format, scope } = payload;
    for (const child of children) {
      yield;
      const read = readField(child, format, scope, former.hasEncoded);
      if (read !== undefined) former.#add({ child, read });
    }
    return former;
  }

  #add(former: Former): void {
    const key = keyOf(former.child, former.read.value);
    const same = this.#elements.get(key);
    if (same === undefined) this.#elements.set(key, [former]);
    else same.push(former);
  }

  /**
   * Returns the element that stands for a value now: the one before, if it said the same; else a new one with
   * the other attributes of the one before. Each takes the place of one.
   * @param child the new element, without any other attributes
   */
  replacedBy(child: Child, value: string): Child {
    const former = this.#elements.get(keyOf(child, value))?.shift();
    if (former === undefined || this.#payload === undefined) return child;
    const { format, scope } = this.#payload;
    const { xml } = former.child;
    if (former.read.value !== value || former.read.type !== typeOf(child))
      return { ...child, xml: withAttributes(child, xml, scope.namespaces) };
    const namespaces = neededBindings(xml, scope.namespaces, formatNamespace(format));
    return { ...child, xml: declareOn(xml, { namespaces }) };
  }
}

function withAttributes(child: Child, former: string, outer: Payload['scope']['namespaces']): string {
  const own = rawAttributes(former);
  const kept = own.filter(
    ({ name }) => !isDeclaration(name) && !ofValues.has(name) && !(isText(child) && name === 'type'),
  );
  if (kept.length === 0) return child.xml;
  const added = kept.map(({ name, value }) => ` ${name}="${escapeAttribute(value)}"`).join('');
  const xml = child.xml.replace(/^<[^\s/>]+/, (start) => start + added);
  return declareOn(xml, { namespaces: usedBindings(xml, [...outer, ...declaredBindings(own)]) });
}

/** Whether the attribute `type` of an element says what its text is. */
function isText({ name }: Child): boolean {
  return name !== 'link' && name !== 'category';
}

/** The type of a new element as `readField` has it. */
function typeOf(child: Child): FieldValue['type'] {
  const type = isText(child)
    ? rawAttributes(child.xml).find(({ name }) => name === 'type')?.value
    : undefined;
  return type === 'html' || type === 'xhtml' ? type : undefined;
}

/** Of a category its value tells which one it is, since an item may have several. */
function keyOf({ namespace, name }: Child, value: string): string {
  return name === 'category' ? `${namespace} ${name} ${value}` : `${namespace} ${name}`;
}
