import { sampleRequests } from './openapi-requests.ts';
import type { OpenApi, SampleRequest } from './openapi-requests.ts';

const [atom, rss, opml] = [
  '<entry xmlns="http://www.w3.org/2005/Atom"><title>An item</title></entry>',
  '<item><title>An item</title></item>',
  '<opml version="2.0"><head/><body><outline text="A feed" xmlUrl="https://peer.example/"/></body></opml>',
];
const documents = {
  'application/atom+xml': atom,
  'application/rss+xml': rss,
  'text/x-opml': opml,
  'application/xml': opml,
  'text/xml': opml,
  '*/*': 'bytes',
};
const parameters = {
  collection: 'todo',
  subscription: 'peer',
  id: 'a',
  deletion: 'a',
  letter: 'a',
  key: '3f7a0c6b9d1e2f48',
  tenant: 'acme',
  token: 'cd'.repeat(32),
  link: '0',
  feed: 'root',
  format: 'rss',
  digest: 'ab'.repeat(32),
  name: 'a.txt',
};

/**
 * Sample requests for every operation that the gateway at this address describes, about the collection `todo`
 * and its item `a`.
 */
export async function describedRequests(url: string): Promise<SampleRequest[]> {
  return sampleRequests(await description(url), parameters, documents);
}

/** What the gateway at this address says of its HTTP interface. */
export async function description(url: string): Promise<OpenApi> {
  return (await (await fetch(`${url}/openapi.json`)).json()) as OpenApi;
}
