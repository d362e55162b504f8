import { createHash } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { failing } from '../../support/failing.ts';
import { until } from '../../support/until.ts';
import { gatewayPorts } from '../../../apps/gateway/src/gateway-ports.ts';
import type { GatewayPorts } from '../../../apps/gateway/src/gateway-ports.ts';
import { useGateway } from './use-gateway.ts';
import { administrator, keysRequired } from '../../support/keys-required.ts';

/** What browsers accept. */
const browser = {
  accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8',
};

const gateway = useGateway({ GATEWAY_PAGE_ITEMS: '3' });

describe('the page at / if keys are required', () => {
  const closed = useGateway(keysRequired);

  const basic = (key: string) => ({
    authorization: `Basic ${Buffer.from(`ann:${key}`).toString('base64')}`,
  });
  const html = async (headers: Record<string, string> = {}): Promise<string> => {
    const response = await closed.send('GET', '/', undefined, { ...browser, ...headers });
    expect(response.status).toBe(200);
    return response.text();
  };
  const issue = async (collections: string): Promise<string> => {
    const body = { name: 'one', grants: [{ permissions: ['read'], collections }] };
    const response = await closed.send('POST', '/v1/keys', body, basic(administrator));
    return ((await response.json()) as { key: string }).key;
  };

  test('asks for a key, and says nothing of collections', async () => {
    const text = await html();
    expect(text).toContain('requires a key');
    expect(text).toContain(`<a href="${closed.url}/?signIn=true">Sign in</a>`);
    expect(text).not.toContain('There is none yet');
  });

  test('lists the collections that the key given by HTTP Basic may read', async () => {
    expect(await html(basic(administrator))).toContain('There is none yet');
    for (const name of ['todo', 'other'])
      await closed.send('PUT', `/v1/collections/${name}`, undefined, basic(administrator));
    const text = await html(basic(await issue('todo')));
    expect(text).toContain('/v1/collections/todo"');
    expect(text).not.toContain('/v1/collections/other"');
    expect(await html(basic(await issue('none')))).toContain('for none of them');
    expect(await html()).not.toContain('/v1/collections/todo"');
  });

  test('has a browser ask for a key by the link to sign in', async () => {
    const path = '/?signIn=true';
    const refused = await closed.send('GET', path, undefined, browser);
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([
      401,
      expect.stringContaining('Basic realm="Feedmesh"'),
    ]);
    const signedIn = await closed.send('GET', path, undefined, { ...browser, ...basic(administrator) });
    expect(signedIn.status).toBe(200);
    expect((await gateway.send('GET', path, undefined, browser)).status).toBe(200);
  });
});

async function page(path = '/'): Promise<{ response: Response; html: string; links: string[] }> {
  const response = await gateway.send('GET', path, undefined, browser);
  const html = await response.text();
  return {
    response,
    html,
    links: [...html.matchAll(/<a href="([^"]*)"/g)].map(([, url = '']) => url.replaceAll('&amp;', '&')),
  };
}

describe('the page at /', () => {
  test('is JSON for programs, and varies by Accept', async () => {
    for (const accept of [undefined, '*/*', 'application/json', 'application/json, text/html']) {
      const response = await gateway.send('GET', '/', undefined, accept === undefined ? {} : { accept });
      expect([response.headers.get('content-type'), response.headers.get('vary')]).toEqual([
        'application/json; charset=utf-8',
        'Accept',
      ]);
      expect(await response.json()).toMatchObject({
        name: 'Feedmesh',
        links: { collections: `${gateway.url}/v1/collections` },
      });
    }
  });

  test('is HTML for a browser, and says how to begin', async () => {
    const { response, html } = await page();
    expect([response.status, response.headers.get('content-type'), response.headers.get('vary')]).toEqual([
      200,
      'text/html; charset=utf-8',
      'Accept',
    ]);
    expect(html).toContain('feedmesh collection create');
  });

  test('shows collections with their titles, escaped, and links that lead somewhere', async () => {
    const title = `<script>alert("1")</script> & 'co'`;
    await gateway.send('PUT', '/v1/collections/a', { title });
    await gateway.send('PUT', '/v1/collections/b', { format: 'opml' });
    await gateway.send('PUT', '/v1/collections/c', { protocol: 'cse' });
    const { html, links } = await page();
    expect(html).not.toContain('<script');
    expect(html).toContain('&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; &#39;co&#39;');
    for (const path of [
      '/docs',
      '/health/ready',
      '/v1/collections/a',
      '/feeds/a.atom',
      '/feeds/a.rss',
      '/feeds/a/reader.atom',
      '/feeds/a/reader.rss',
      '/feeds/b.opml',
      '/feeds/c.rss',
      '/feeds/c/reader.rss',
    ]) {
      expect(links).toContain(gateway.url + path);
    }
    for (const link of links) {
      // On a busy machine a database may answer too late for the health page.
      const status = await until(
        async () => {
          const response = await gateway.send('GET', link, undefined, browser);
          await response.body?.cancel();
          return response.status;
        },
        (found) => found !== 503,
      );
      expect([link, status]).toEqual([link, 200]);
    }
    expect(html).toContain(
      `<link rel="alternate" type="application/atom+xml" href="${gateway.url}/feeds/a/reader.atom"`,
    );
  });

  test('runs nothing, and its one style is the one that its policy allows', async () => {
    const { response, html } = await page();
    const [, style = ''] = /<style>([^<]*)<\/style>/.exec(html) ?? [];
    const digest = createHash('sha256').update(style).digest('base64');
    expect(response.headers.get('content-security-policy')).toBe(
      `default-src 'none'; style-src 'sha256-${digest}'; base-uri 'none'; form-action 'none'; ` +
        `frame-ancestors 'none'`,
    );
    expect(html).not.toMatch(/ (style|on[a-z]+)=/);
  });

  test('shows only so many at once, and leads to the others', async () => {
    for (const name of ['d', 'e', 'f', 'g']) await gateway.send('PUT', `/v1/collections/${name}`);
    const seen: string[] = [];
    for (let path: string | undefined = '/'; path !== undefined;) {
      const { links } = await page(path);
      seen.push(...links.flatMap((link) => /\/v1\/collections\/(.+)$/.exec(link)?.[1] ?? []));
      path = links.find((link) => link.includes('?cursor='));
    }
    expect(seen).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'g']);
  });

  test('is available while the collections cannot be read', async () => {
    const ports = gateway.application.get<{ store: GatewayPorts['store'] }>(gatewayPorts);
    const { store } = ports;
    ports.store = { ...store, collections: failing(store.collections, 'list', 'before') };
    try {
      const { response, html, links } = await page();
      expect(response.status).toBe(503);
      expect(html).toContain('MongoDB is not available');
      expect(links).toContain(`${gateway.url}/health/ready`);
    } finally {
      ports.store = store;
    }
  });
});
