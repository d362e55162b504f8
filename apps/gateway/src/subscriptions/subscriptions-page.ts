import type { Page, SubscriptionCountsView, SubscriptionView } from '#contracts';
import { escapeHtml } from '../index/escape-html.ts';
import { anchor, writeHtmlPage } from '../index/html-page.ts';

interface SubscriptionsPage {
  readonly publicUrl: string;
  /** What is shown: a filter, and where the page begins. */
  readonly query: Readonly<Record<string, string | undefined>>;
  readonly counts: SubscriptionCountsView;
  readonly page: Page<SubscriptionView>;
}

/** A page for people, in HTML: how many subscriptions are in which state, and those of a filter. */
export function writeSubscriptionsPage({ publicUrl, query, counts, page }: SubscriptionsPage): string {
  const { collection, state, cause } = query;
  const link = (text: string, parameters: Readonly<Record<string, string | undefined>>): string => {
    const given = Object.entries({ collection, ...parameters }).filter(
      (entry): entry is [string, string] => entry[1] !== undefined,
    );
    return anchor(`${publicUrl}/v1/subscriptions?${new URLSearchParams(given).toString()}`, text);
  };
  const states = Object.entries(counts.states).map(([name, count]) =>
    link(`${count} ${name}`, { state: name }),
  );
  const causes = Object.entries(counts.causes)
    .toSorted(([, one], [, other]) => other - one)
    .map(([name, count]) => link(`${count} ${name}`, { state: 'failing', cause: name }));
  const title = collection === undefined ? 'Subscriptions' : `Subscriptions of ${collection}`;
  return writeHtmlPage({
    title,
    body: [
      `<h1>${escapeHtml(title)}</h1>`,
      `<nav>${link(`${counts.total} in all`, {})}${states.join('')}</nav>`,
      ...(causes.length === 0 ? [] : [`<nav>Failing by cause: ${causes.join('')}</nav>`]),
      ...table(publicUrl, page.items),
      ...(page.next === undefined
        ? []
        : [`<p>${link('More subscriptions', { state, cause, cursor: page.next })}</p>`]),
    ],
  });
}

function table(publicUrl: string, subscriptions: readonly SubscriptionView[]): string[] {
  if (subscriptions.length === 0) return ['<p>There is none.</p>'];
  return [
    '<table>',
    '<tr><th>Subscription</th><th>State</th><th>Last success</th><th>Next fetch</th></tr>',
    ...subscriptions.map((subscription) => row(publicUrl, subscription)),
    '</table>',
  ];
}

function row(publicUrl: string, subscription: SubscriptionView): string {
  const { collection, id, url, state, last, succeededAt, status, nextFetchAt, nextFetchReason } =
    subscription;
  const path = `${publicUrl}/v1/collections/${collection}/subscriptions/${id}`;
  const why = last?.reason === undefined ? '' : `<br><small>${escapeHtml(last.reason)}</small>`;
  const cause = last?.cause === undefined ? '' : `: ${last.cause}`;
  const next =
    status === 'active' ? `${timeOf(nextFetchAt)}<br><small>${escapeHtml(nextFetchReason)}</small>` : 'none';
  return (
    `<tr><td>${anchor(path, `${collection}/${id}`)}<br><small>${escapeHtml(url)}</small></td>` +
    `<td>${escapeHtml(`${state}${cause}`)}${why}</td>` +
    `<td>${succeededAt === undefined ? 'never' : timeOf(succeededAt)}</td><td>${next}</td></tr>`
  );
}

function timeOf(time: string): string {
  return `${time.slice(0, 19)}Z`;
}
