import { parseUrl } from '#xml';
/** Parameters that tell a publisher where a reader came from, not what is shown. */
const trackingParameters = new RegExp(
  '^(?:utm_[a-z_]+|at_[a-z_]+|pk_[a-z_]+|mtm_[a-z_]+|hsa_[a-z_]+|mc_[ce]id|_hs(?:enc|mi)|fbclid|gclid|' +
    'dclid|msclkid|yclid|igshid|ref_src|cmpid?|ocid|ncid|xtor|wt\\.mc_id|spm)$',
  'i',
);

/** What says that the reader comes from a feed. */
const feedReferrer = /^(?:ref|source|src|from|via|partner|feature)=(?:rss|rss2|feeds?|atom|feedburner)$/i;

/** Parameters that count, or that keep a cache away. */
const countingParameters = new RegExp(
  '^(?:counts?|counter|hits?|views?|n(?:um)?_?comments?|comments?_?count|replies|likes|shares|rnd|rand|' +
    'random|nocache|cb|cachebuster|timestamp|_|session_?id|phpsessid)$',
  'i',
);

/**
 * Returns an address without what may differ between two that lead to the same: the scheme, if it is that of
 * the web, the case of the host, a default port, and parameters that track, count, or name a session. What is
 * no address of the web is returned as it is.
 */
export function sameAddress(address: string): string {
  const text = address.trim();
  const url = /^https?:\/\//i.test(text) ? parseUrl(text) : undefined;
  if (url === undefined) return text;
  const path = url.pathname.replace(/;jsessionid=[^/;]*/i, '');
  const parameters = url.search
    .slice(1)
    .split('&')
    .filter((parameter) => {
      if (parameter === '') return false;
      const [name = ''] = parameter.split('=', 1);
      return (
        ![trackingParameters, countingParameters].some((names) => names.test(name)) &&
        !feedReferrer.test(parameter)
      );
    });
  const query = parameters.length > 0 ? `?${parameters.join('&')}` : '';
  return `//${url.host.replace(/:(?:80|443)$/, '')}${path}${query}${withoutTracking(url.hash)}`;
}

/** A fragment as it is, unless it is there to track: `#xtor=RSS-1`, `#ref=rss`. */
function withoutTracking(hash: string): string {
  const [name = ''] = hash.slice(1).split('=', 1);
  return hash.includes('=') && trackingParameters.test(name) ? '' : hash;
}

/** Returns a text in which each address of the web is as `sameAddress` has it. */
export function withSameAddresses(text: string): string {
  return text.replace(/https?:\/\/[^\s"'<>()[\]{}]+/gi, (address) =>
    sameAddress(address.replaceAll('&amp;', '&')),
  );
}
