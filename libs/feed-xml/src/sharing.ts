import { isDateTime } from '#feedsync';
import { BreachList, quote } from './breach-list.ts';
import type { Breach } from './breach.ts';
import type { Related, Sharing } from './feed.ts';
import type { Fragment } from './fragment.ts';
import { isSync, readTree } from './tree.ts';
import type { XmlElement } from './tree.ts';

const absoluteUri = /^[A-Za-z][A-Za-z0-9+.-]*:\S+$/;

/** Reads `sx:sharing` (2.2) with its `sx:related` (2.3). What breaks a rule is left out, with a warning. */
export function readSharing(sharings: readonly Fragment[]): { sharing?: Sharing; breaches: readonly Breach[] } {
  const [fragment, second] = sharings;
  if (fragment === undefined) return { breaches: [] };
  const root = readTree(fragment.xml);
  const breaches = new BreachList(fragment);
  const warn = (element: XmlElement, rule: string, section: string, message: string) => breaches.add(element, rule, section, message, 'warning');
  if (second !== undefined) warn(root, 'sharing-multiple', '2.2', 'A feed has one sx:sharing; the first is taken.');

  const attribute = (element: XmlElement, name: string) => {
    const value = element.tag.attributes[name]?.value;
    if (value === '') warn(element, 'sharing-attribute-empty', '2.1.2', `The attribute ${name} is empty.`);
    return value === '' ? undefined : value;
  };
  let since = attribute(root, 'since');
  let until = attribute(root, 'until');
  if ((since === undefined) !== (until === undefined)) {
    warn(root, 'sharing-since-until', '2.2', 'Of since and until there is only one; both or neither are given.');
    since = until = undefined;
  }
  let expires = attribute(root, 'expires');
  if (expires !== undefined && !isDateTime(expires)) {
    warn(root, 'sharing-expires-format', '2.1.5', `The value of expires is not a date-time such as 2005-05-21T09:43:33Z: ${quote(expires)}.`);
    expires = undefined;
  }
  const related: Related[] = [];
  for (const element of root.children.filter((child) => isSync(child, 'related'))) {
    const link = attribute(element, 'link');
    const type = attribute(element, 'type');
    const title = attribute(element, 'title');
    if (link === undefined || !absoluteUri.test(link)) warn(element, 'related-link', '2.3', `An sx:related has a link that is an absolute URI, not ${quote(link)}.`);
    else if (type !== 'complete' && type !== 'aggregated') warn(element, 'related-type', '2.3', `The type of an sx:related is "complete" or "aggregated", not ${quote(type)}.`);
    else related.push({ link, type, ...(title !== undefined && { title }) });
  }
  return { sharing: { ...(since !== undefined && { since }), ...(until !== undefined && { until }), ...(expires !== undefined && { expires }), related }, breaches: breaches.all };
}
