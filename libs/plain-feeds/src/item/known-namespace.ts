import { declareOn, defaultNamespaceOf, escapeAttribute, rawAttributes } from '#xml';
import type { Child, Payload } from '#xml';
import { rssNames } from '../element-names.ts';
import { canonicalNamespace, prefixOf } from '../namespaces.ts';

/**
 * A child whose namespace is a variant of a known one in that one, the elements in it too. RSS has no
 * namespace, whatever the default one of the feed is.
 */
export function inKnownNamespace(child: Child, { format, scope }: Payload): Child {
  const isOwn =
    format === 'rss' &&
    child.namespace !== '' &&
    child.namespace === defaultNamespaceOf(scope) &&
    /^<[^\s/>:]+[\s/>]/.test(child.xml);
  const namespace = isOwn ? '' : canonicalNamespace(child.namespace);
  if (namespace === child.namespace) return withXhtml(format === 'rss' ? withRssName(child) : child);
  const [, name = ''] = /^<([^\s/>]+)/.exec(child.xml) ?? [];
  const prefix = prefixOf(name);
  const declaration = rawAttributes(child.xml).find(
    (attribute) => attribute.name === (prefix === '' ? 'xmlns' : `xmlns:${prefix}`),
  );
  const xml =
    declaration === undefined
      ? declareOn(child.xml, { namespaces: [[prefix, namespace]] })
      : child.xml.slice(0, declaration.valueStart) +
        escapeAttribute(namespace) +
        child.xml.slice(declaration.valueEnd);
  return { ...child, namespace, xml };
}

/** A text in which XHTML is in the namespace that is meant. */
function withXhtml(child: Child): Child {
  const { xml } = child;
  const written = 'https://www.w3.org/1999/xhtml';
  return xml.includes(written)
    ? { ...child, xml: xml.replaceAll(`"${written}"`, '"http://www.w3.org/1999/xhtml"') }
    : child;
}

/** An element of RSS with its name in the letters of the specification. */
function withRssName(child: Child): Child {
  const { namespace, name, xml } = child;
  const known = namespace === '' ? (rssNames.get(name.toLowerCase()) ?? name) : name;
  if (known === name) return child;
  const end = xml.lastIndexOf('</');
  const inside = end < 0 ? xml : `${xml.slice(0, end)}</${known}>`;
  const named = inside.replace(/^<[^\s/>]+/, `<${known}`);
  return { namespace, name: known, xml: named };
}
