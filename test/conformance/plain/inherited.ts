import type { PlainElement } from './plain-element.ts';

/** What elements inherit: `xml:lang` and the resolved `xml:base`, empty if there is none. */
export interface Inherited {
  readonly language: string;
  readonly base: string;
}

const language = '{http://www.w3.org/XML/1998/namespace}lang';
const base = '{http://www.w3.org/XML/1998/namespace}base';

/** What is in force in an element that stands where `outer` is. */
export function inheritedIn(
  { attributes }: PlainElement,
  outer: Inherited = { language: '', base: '' },
): Inherited {
  const own = attributes[base] ?? '';
  return {
    language: attributes[language] ?? outer.language,
    base: URL.canParse(own, outer.base) ? new URL(own, outer.base).href : own || outer.base,
  };
}

export function withoutInherited(attributes: PlainElement['attributes']): PlainElement['attributes'] {
  return Object.fromEntries(
    Object.entries(attributes).filter(([name]) => name !== language && name !== base),
  );
}

/**
 * Elements with the language and the base that they have where they stand, without the blank text between
 * them.
 */
export function inPlace(
  children: readonly (PlainElement | string)[],
  outer: Inherited,
): (PlainElement | string)[] {
  return children
    .filter((child) => typeof child !== 'string' || child.trim() !== '')
    .map((child) => {
      if (typeof child === 'string') return child;
      const inherited = inheritedIn(child, outer);
      return {
        ...child,
        attributes: {
          ...withoutInherited(child.attributes),
          [language]: inherited.language,
          [base]: inherited.base,
        },
      };
    });
}
