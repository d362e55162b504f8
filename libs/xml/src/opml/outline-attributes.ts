import type { Attribute } from '../payload.ts';

import { escapeAttribute } from '../escape.ts';
import { xmlNamespace } from '../namespace.ts';
import { defaultXmlLimits } from '../strict-parser.ts';
import { fieldError } from '../text-construct.ts';

type Attributes = readonly Attribute[];

// NCName of Namespaces in XML 1.0 (3), after a namespace name in braces if there is one.
const nameStart =
  'A-Z_a-z\\u00C0-\\u00D6\\u00D8-\\u00F6\\u00F8-\\u02FF\\u0370-\\u037D\\u037F-\\u1FFF\\u200C\\u200D' +
  '\\u2070-\\u218F\\u2C00-\\u2FEF\\u3001-\\uD7FF\\uF900-\\uFDCF\\uFDF0-\\uFFFD\\u{10000}-\\u{EFFFF}';
const expandedName = new RegExp(
  `^(?:\\{([^{}]+)\\})?([${nameStart}][${nameStart}\\-.0-9\\u00B7\\u0300-\\u036F\\u203F\\u2040]*)$`,
  'u',
);
const declarationNamespace = 'http://www.w3.org/2000/xmlns/';

/**
 * The attributes of an outline as plain values: by name, `{namespace}name` if the name has a namespace.
 */
export function valuesOfAttributes(attributes: Attributes): Record<string, string> {
  return Object.fromEntries(
    attributes.map(({ namespace, name, value }) => [
      namespace === '' ? name : `{${namespace}}${name}`,
      value,
    ]),
  );
}

/**
 * The attributes of an outline from plain values, of which `text` is required. Throws `FeedError` (rules
 * `field-text`, `field-attribute`, `xml-character`).
 */
export function outlineAttributes(values: Readonly<Record<string, string>>): Attributes {
  const count = Object.keys(values).length;
  if (count > defaultXmlLimits.attributes)
    throw fieldError(
      'field-attribute',
      `An outline has at most ${defaultXmlLimits.attributes} attributes, which is what its readers take; ` +
        `this one has ${count}.`,
    );
  if (!Object.hasOwn(values, 'text')) throw fieldError('field-text', 'An outline has an attribute "text".');
  return Object.entries(values).map(([expanded, value]) => {
    const [, namespace = '', name = ''] = expandedName.exec(expanded) ?? [];
    const quoted = JSON.stringify(expanded.slice(0, 100));
    if (name === '')
      throw fieldError(
        'field-attribute',
        `The name of an attribute is an XML name, or {namespace} and an XML name, not ${quoted}.`,
      );
    if (name === 'xmlns' || namespace === declarationNamespace)
      throw fieldError(
        'field-attribute',
        `Namespaces are declared where they are needed; ${quoted} is no attribute.`,
      );
    if (namespace === xmlNamespace && (name === 'base' || name === 'lang'))
      throw fieldError(
        'field-attribute',
        `xml:${name} is given as "${name === 'base' ? 'base' : 'language'}", not as an attribute.`,
      );
    // The writer would refuse the same, too late to say so to whom gave it.
    escapeAttribute(`${namespace}${value}`);
    return { namespace, name, value };
  });
}
