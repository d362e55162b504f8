import { readContent } from '#xml';
import type { Child } from '#xml';

/** The expanded name of an element. */
export type Name = readonly [namespace: string, name: string];

/** The text of an element of a module. */
export interface ModuleText {
  readonly text: string;
  readonly isHtml: boolean;
}

/** The children with a name. */
export function called(children: readonly Child[], [namespace, name]: Name): Child[] {
  return children.filter((child) => child.name === name && child.namespace === namespace);
}

/** The first text that is not blank of elements, the best name first. */
export function firstText(children: readonly Child[], names: readonly Name[]): ModuleText | undefined {
  for (const name of names)
    for (const { xml } of called(children, name)) {
      const { text, attributes } = readContent(xml);
      const isHtml = attributes.get('type') === 'html' || /<[a-z/!][^<>]*>|&[a-z0-9#]+;/i.test(text);
      if (text.trim() !== '') return { text: text.trim(), isHtml };
    }
  return undefined;
}

/** The texts of elements that are addresses of the web. */
export function addresses(children: readonly Child[], names: readonly Name[]): string[] {
  return names
    .flatMap((name) => called(children, name))
    .map(({ xml }) => readContent(xml).text.trim())
    .filter((text) => /^https?:\/\/\S+$/i.test(text));
}
