import { describe, expect, test } from '@jest/globals';
import type { Express } from 'express';
import { operations } from '#contracts';
import { collectionKey } from '#core';
import { problemIn } from './gateway-under-test.ts';
import { useGateway } from './use-gateway.ts';

/** The part of a layer of Express's router that says which routes there are. */
interface Layer {
  readonly route?: { readonly path: string; readonly methods: Readonly<Record<string, boolean>> };
}

const gateway = useGateway({ GATEWAY_PAGE_ITEMS: '50' });

describe('a collection', () => {
  test('is created with defaults, and read', async () => {
    const created = await gateway.send('PUT', '/v1/collections/defaults');
    expect(created.status).toBe(201);
    const collection = (await created.json()) as Record<string, unknown>;
    expect(collection).toMatchObject({
      name: 'defaults',
      title: 'defaults',
      protocol: 'feedsync',
      format: 'atom',
      endpoint: 'test:defaults',
      cursor: '0000000000000000',
      settings: { windowItems: 1000, expiresAfter: 86_400, cleanUpHistory: false, historyLimit: 50 },
      links: {
        feed: `${gateway.url}/feeds/defaults.atom`,
        completeFeed: `${gateway.url}/feeds/defaults/complete.atom`,
        feeds: { atom: `${gateway.url}/feeds/defaults.atom`, rss: `${gateway.url}/feeds/defaults.rss` },
        completeFeeds: {
          atom: `${gateway.url}/feeds/defaults/complete.atom`,
          rss: `${gateway.url}/feeds/defaults/complete.rss`,
        },
      },
    });
    expect(await (await gateway.send('GET', '/v1/collections/defaults')).json()).toEqual(collection);
  });

  test('is the same after the same PUT, and keeps what a later one leaves out', async () => {
    const body = { title: 'Twice', format: 'rss', endpoint: 'urn-like:twice', settings: { windowItems: 5 } };
    expect((await gateway.send('PUT', '/v1/collections/twice', body)).status).toBe(201);
    const again = await gateway.send('PUT', '/v1/collections/twice', body);
    expect(again.status).toBe(200);
    expect(await again.json()).toMatchObject(body);
    const changed = await gateway.send('PUT', '/v1/collections/twice', {
      title: 'Renamed',
      settings: { expiresAfter: 3600 },
    });
    expect(await changed.json()).toMatchObject({
      title: 'Renamed',
      format: 'rss',
      settings: { windowItems: 5, expiresAfter: 3600 },
    });
  });

  test.each([
    ['format', 'atom'],
    ['endpoint', 'another'],
  ])('cannot be given another %s', async (property, value) => {
    await gateway.send('PUT', '/v1/collections/fixed', { format: 'rss' });
    const problem = await problemIn(
      await gateway.send('PUT', '/v1/collections/fixed', { [property]: value }),
    );
    expect(problem).toMatchObject({
      status: 409,
      rule: 'collection-fixed',
      instance: '/v1/collections/fixed',
    });
  });

  test('gets another endpoint identifier to sign with, and its feeds keep their ids', async () => {
    const path = '/v1/collections/renewed';
    await gateway.send('PUT', path);
    const title = 'One';
    await gateway.send('POST', `${path}/items`, { id: 'one', title });
    await gateway.publish('renewed');
    const ids = async (): Promise<string[]> =>
      Array.from(
        (await (await gateway.send('GET', '/feeds/renewed.atom')).text()).matchAll(/<id>([^<]*)<\/id>/g),
        ([, id = '']) => id,
      );
    const before = await ids();
    expect(before).toHaveLength(2);

    const renewed = await gateway.send('POST', `${path}/endpoint`, { endpoint: 'second' });
    expect(renewed.status).toBe(200);
    expect(await renewed.json()).toMatchObject({
      endpoint: 'second',
      retiredEndpoints: ['test:renewed'],
      deadLetters: { merged: 0, left: 0 },
    });
    await gateway.send('PUT', `${path}/items/one`, { title: 'Two' });
    await gateway.publish('renewed');
    expect(await ids()).toEqual(before);
    const item = (await (await gateway.send('GET', `${path}/items/one`)).json()) as {
      sync: { history: object[] };
    };
    expect(item.sync.history).toMatchObject([
      { sequence: 2, by: 'second' },
      { sequence: 1, by: 'test:renewed' },
    ]);
    const events = await gateway.store.changes.read(collectionKey('renewed'), 0, 10);
    expect(events.map(({ source }) => source)).toEqual(['urn:feedmesh:test:renewed', 'urn:feedmesh:second']);

    await gateway.send('PUT', '/v1/collections/another-one', { endpoint: 'taken' });
    for (const endpoint of ['second', 'test:renewed', 'taken'])
      expect(await problemIn(await gateway.send('POST', `${path}/endpoint`, { endpoint }))).toMatchObject({
        status: 409,
        rule: 'endpoint-used',
      });
    expect(
      await problemIn(await gateway.send('POST', `${path}/endpoint`, { endpoint: 'no spaces' })),
    ).toMatchObject({ status: 400, rule: 'invalid-input' });
    expect(await problemIn(await gateway.send('POST', '/v1/collections/missing/endpoint'))).toMatchObject({
      status: 404,
      rule: 'collection-not-found',
    });
    expect(await problemIn(await gateway.send('PUT', path, { endpoint: 'third' }))).toMatchObject({
      status: 409,
      detail: expect.stringContaining('POST /v1/collections/renewed/endpoint'),
    });
  });

  test('is removed, once', async () => {
    await gateway.send('PUT', '/v1/collections/removed');
    expect((await gateway.send('DELETE', '/v1/collections/removed')).status).toBe(204);
    expect((await gateway.send('DELETE', '/v1/collections/removed')).status).toBe(404);
    expect(await problemIn(await gateway.send('GET', '/v1/collections/removed'))).toMatchObject({
      status: 404,
      rule: 'collection-not-found',
    });
  });

  test('needs a proper name', async () => {
    const problem = await problemIn(await gateway.send('PUT', '/v1/collections/Not_A_Name', {}));
    expect(problem).toMatchObject({ status: 400, rule: 'invalid-input' });
    expect(problem.errors).toEqual([
      { path: 'path.collection', message: expect.stringContaining('1 to 63 of a-z, 0-9 and "-"') },
    ]);
  });

  test('is refused with every fault of its body and their paths', async () => {
    const problem = await problemIn(
      await gateway.send('PUT', '/v1/collections/faulty', {
        title: 'bell \u0007',
        endpoint: 'no spaces',
        format: 'json',
        settings: { windowItems: 0 },
        colour: 'red',
      }),
    );
    expect(problem.status).toBe(400);
    expect(problem.errors?.map(({ path }) => path).toSorted()).toEqual([
      'body',
      'body.endpoint',
      'body.format',
      'body.settings.windowItems',
      'body.title',
    ]);
    expect(problem.detail).toContain('RFC 2141');
  });
});

describe('the protocol of a collection', () => {
  test.each([
    [{}, 'feedsync', 'atom'],
    [{ format: 'rss' }, 'feedsync', 'rss'],
    [{ protocol: 'sse' }, 'sse', 'rss'],
    [{ format: 'opml' }, 'sse', 'opml'],
    [{ protocol: 'sse', format: 'opml' }, 'sse', 'opml'],
    [{ protocol: 'cse' }, 'cse', 'rss'],
  ])('and its format are, of %j, %s and %s', async (body, protocol, format) => {
    const name = `of-${Object.entries(body).flat().join('-') || 'nothing'}`;
    const response = await gateway.send('PUT', `/v1/collections/${name}`, body);
    expect(await response.json()).toMatchObject({
      protocol,
      format,
      links: { feed: `${gateway.url}/feeds/${name}.${format}` },
    });
    expect(
      await problemIn(
        await gateway.send('PUT', `/v1/collections/${name}`, {
          protocol: protocol === 'sse' ? 'feedsync' : 'sse',
        }),
      ),
    ).toMatchObject({ status: 409, rule: 'collection-fixed' });
  });

  test.each([
    [{ protocol: 'sse', format: 'atom' }, 'sse has the format rss or opml'],
    [{ protocol: 'feedsync', format: 'opml' }, 'feedsync has the format atom or rss'],
    [{ protocol: 'cse', format: 'atom' }, 'cse has the format rss'],
  ])('is refused with a format that it has not: %j', async (body, message) => {
    expect(await problemIn(await gateway.send('PUT', '/v1/collections/misfit', body))).toMatchObject({
      status: 400,
      errors: [{ path: 'body.format', message: expect.stringContaining(message) }],
    });
  });

  test('decides which settings it accepts, and each refused one is named', async () => {
    const own = {
      feedsync: {
        cleanUpHistory: true,
        republishMarkup: false,
        sharedElements: { rss: ['title'] },
        resolution: { policy: 'latest' },
      },
      sse: { ordered: false, updatesKept: 3, namespace: 'http' },
      cse: { links: 'original', refreshOnDemand: false },
    };
    for (const [protocol, other] of [
      ['feedsync', 'sse'],
      ['feedsync', 'cse'],
      ['sse', 'feedsync'],
      ['sse', 'cse'],
      ['cse', 'feedsync'],
      ['cse', 'sse'],
    ] as const) {
      const problem = await problemIn(
        await gateway.send('PUT', '/v1/collections/misset', { protocol, settings: own[other] }),
      );
      expect([problem.status, problem.errors?.map(({ path }) => path)]).toEqual([
        400,
        Object.keys(own[other]).map((name) => `body.settings.${name}`),
      ]);
      expect(
        (
          await gateway.send('PUT', `/v1/collections/set-${protocol}-${other}`, {
            protocol,
            settings: own[protocol],
          })
        ).status,
      ).toBe(201);
    }
    const shared = await problemIn(
      await gateway.send('PUT', '/v1/collections/misset', {
        protocol: 'cse',
        settings: {
          windowItems: 5,
          windowLimit: 9,
          windowAge: 90_000,
          removeDeletedData: true,
          listSubscriptions: true,
        },
      }),
    );
    expect(shared.errors).toHaveLength(5);
    expect(shared.detail).toContain(
      'windowItems is a setting of collections of the protocol feedsync or sse; this one has cse',
    );
  });

  test('shows the settings that may be sent back', async () => {
    const body = {
      protocol: 'sse',
      settings: {
        windowItems: 10,
        expiresAfter: 600,
        removeDeletedData: true,
        listSubscriptions: true,
        ordered: true,
        updatesKept: 0,
        namespace: 'http',
      },
    };
    const { settings } = (await (await gateway.send('PUT', '/v1/collections/shown', body)).json()) as {
      settings: object;
    };
    expect(settings).toEqual(body.settings);
    expect((await gateway.send('PUT', '/v1/collections/shown', { settings })).status).toBe(200);
    const taken = await gateway.send('PUT', '/v1/collections/shown', {
      settings: { updatesKept: null, namespace: null },
    });
    expect(await taken.json()).toMatchObject({
      settings: {
        windowItems: 10,
        expiresAfter: 600,
        removeDeletedData: true,
        listSubscriptions: true,
        ordered: true,
      },
    });
  });

  test.each([
    [{ protocol: 'sse' }, true],
    [{ protocol: 'sse', settings: { ordered: true } }, false],
    [{ format: 'opml' }, false],
  ])('of %j has an order that does not become %s', async (body, ordered) => {
    const name = `order-${JSON.stringify(body).replaceAll(/[^a-z]/g, '')}`;
    await gateway.send('PUT', `/v1/collections/${name}`, body);
    expect(
      await problemIn(await gateway.send('PUT', `/v1/collections/${name}`, { settings: { ordered } })),
    ).toMatchObject({ status: 409, rule: 'collection-fixed', detail: expect.stringContaining('ordered') });
    expect(
      (await gateway.send('PUT', `/v1/collections/${name}`, { settings: { ordered: !ordered } })).status,
    ).toBe(200);
  });

  test('refuses outlines without an order', async () => {
    expect(
      await problemIn(
        await gateway.send('PUT', '/v1/collections/heap', { format: 'opml', settings: { ordered: false } }),
      ),
    ).toMatchObject({ status: 400, errors: [{ path: 'body.settings.ordered' }] });
  });
});

describe('the settings of a collection', () => {
  const settingsAfter = async (name: string, settings: object): Promise<unknown> => {
    const response = await gateway.send('PUT', `/v1/collections/${name}`, { settings });
    expect([200, 201]).toContain(response.status);
    return ((await response.json()) as { settings: unknown }).settings;
  };

  test('are all kept, and stay if a later PUT leaves them out', async () => {
    const settings = {
      windowItems: 10,
      expiresAfter: 600,
      windowAge: 600,
      tombstoneAge: 1200,
      cleanUpHistory: true,
      historyLimit: 20,
      removeDeletedData: true,
      listSubscriptions: true,
      republishMarkup: false,
      sharedElements: { atom: ['title', 'link:alternate', 'link:http://example.org/rel'], rss: ['title'] },
      resolution: { policy: 'prefer-endpoint', endpoint: 'example:head-office' },
    };
    expect(await settingsAfter('all-set', settings)).toEqual(settings);
    expect(await settingsAfter('all-set', { windowItems: 20 })).toEqual({ ...settings, windowItems: 20 });
    expect((await gateway.store.collections.find(collectionKey('all-set')))?.settings).toEqual({
      ...settings,
      windowItems: 20,
    });
  });

  test('are taken away by null', async () => {
    await settingsAfter('taken-away', {
      expiresAfter: 600,
      windowAge: 600,
      tombstoneAge: 600,
      sharedElements: { atom: ['title'] },
      resolution: { policy: 'latest' },
    });
    const after = await settingsAfter('taken-away', {
      windowAge: null,
      tombstoneAge: null,
      sharedElements: null,
      resolution: null,
    });
    expect(after).toEqual({
      windowItems: 1000,
      expiresAfter: 600,
      cleanUpHistory: false,
      historyLimit: 50,
    });
  });

  test('hold the default elements of a format that is not named', async () => {
    expect(await settingsAfter('half-named', { sharedElements: { rss: ['title'] } })).toMatchObject({
      sharedElements: { atom: expect.arrayContaining(['content', 'link:via']), rss: ['title'] },
    });
  });

  test.each([{ policy: 'latest' }, { policy: 'module', module: 'price-wins' }])(
    'take the policy %j',
    async (resolution) => {
      expect(await settingsAfter(`policy-${resolution.policy}`, { resolution })).toMatchObject({
        resolution,
      });
    },
  );

  test.each([['windowAge'], ['tombstoneAge']])(
    'have a %s of at least expiresAfter, whichever of them changes',
    async (age) => {
      const name = `ages-${age.toLowerCase()}`;
      expect(
        await problemIn(
          await gateway.send('PUT', `/v1/collections/${name}`, { settings: { [age]: 86_399 } }),
        ),
      ).toMatchObject({
        status: 400,
        errors: [
          {
            path: `body.settings.${age}`,
            message: expect.stringMatching(/at least expiresAfter, 86400 seconds.*4\.2/),
          },
        ],
      });
      await settingsAfter(name, { expiresAfter: 600, [age]: 900 });
      expect(
        await problemIn(
          await gateway.send('PUT', `/v1/collections/${name}`, { settings: { expiresAfter: 901 } }),
        ),
      ).toMatchObject({ status: 400, errors: [{ path: `body.settings.${age}` }] });
      expect(await settingsAfter(name, { expiresAfter: 901, [age]: 901 })).toMatchObject({
        expiresAfter: 901,
        [age]: 901,
      });
    },
  );

  test('have a windowLimit of at least windowItems, whichever of them changes', async () => {
    const refused = async (settings: object): Promise<unknown> =>
      (await problemIn(await gateway.send('PUT', '/v1/collections/limited', { settings }))).errors;
    const error = (message: string): unknown => [{ path: 'body.settings.windowLimit', message }];
    expect(await refused({ windowLimit: 999 })).toEqual(
      error('windowLimit is at least windowItems, 1000 items, not 999'),
    );
    await settingsAfter('limited', { windowItems: 5, windowLimit: 9 });
    expect(await refused({ windowItems: 10 })).toEqual(
      error('windowLimit is at least windowItems, 10 items, not 9'),
    );
    const settings = await settingsAfter('limited', { windowItems: 10, windowLimit: null });
    expect(settings).not.toHaveProperty('windowLimit');
  });

  test.each([
    [{ windowItems: null }, 'windowItems'],
    [{ windowAge: 59 }, 'windowAge'],
    [{ sharedElements: { atom: ['titel'] } }, 'sharedElements.atom.0'],
    [{ sharedElements: { rss: ['guid'] } }, 'sharedElements.rss.0'],
    [{ resolution: { policy: 'coin' } }, 'resolution.policy'],
    [{ resolution: { policy: 'prefer-endpoint', endpoint: 'no spaces' } }, 'resolution.endpoint'],
    [{ resolution: { policy: 'module' } }, 'resolution.module'],
  ])('are refused as %j', async (settings, path) => {
    expect(
      await problemIn(await gateway.send('PUT', '/v1/collections/wrong-settings', { settings })),
    ).toMatchObject({ status: 400, errors: [{ path: `body.settings.${path}` }] });
  });
});

describe('the list of collections', () => {
  test('comes in pages that Link leads through', async () => {
    for (const name of ['page-a', 'page-b', 'page-c']) await gateway.send('PUT', `/v1/collections/${name}`);
    const names: string[] = [];
    for (let next: string | undefined = '/v1/collections?limit=2'; next !== undefined;) {
      const response: Response = await gateway.send('GET', next);
      const page = (await response.json()) as { items: { name: string }[]; next?: string };
      expect(page.items.length).toBeLessThanOrEqual(2);
      names.push(...page.items.map(({ name }) => name));
      next = /^<(.+)>; rel="next"$/.exec(response.headers.get('link') ?? '')?.[1];
      expect(next === undefined).toBe(page.next === undefined);
    }
    expect(names).toEqual(names.toSorted());
    expect(names).toEqual(expect.arrayContaining(['page-a', 'page-b', 'page-c']));
  });

  test.each([
    ['limit=0', 'query.limit'],
    ['limit=51', 'query.limit'],
    ['limit=1e3', 'query.limit'],
    ['cursor=%21', 'query.cursor'],
    ['limit=1&limit=2', 'query.limit'],
    ['size=1', 'query'],
  ])('refuses ?%s', async (query, path) => {
    const problem = await problemIn(await gateway.send('GET', `/v1/collections?${query}`));
    expect(problem).toMatchObject({ status: 400, errors: [{ path }] });
  });
});

describe('a request', () => {
  test('with malformed JSON is refused', async () => {
    const problem = await problemIn(
      await gateway.send('PUT', '/v1/collections/broken', '{"title": ', {
        'content-type': 'application/json',
      }),
    );
    expect(problem).toMatchObject({ status: 400, rule: 'invalid-json', errors: [{ path: 'body' }] });
  });

  test('with a body of another type is refused', async () => {
    const problem = await problemIn(
      await gateway.send('PUT', '/v1/collections/typed', 'title: x', { 'content-type': 'text/yaml' }),
    );
    expect(problem).toMatchObject({ status: 415, rule: 'unsupported-media-type' });
  });

  test('with too large a body is refused, and the limit named', async () => {
    const problem = await problemIn(
      await gateway.send('PUT', '/v1/collections/large', { title: 'x'.repeat(4_200_000) }),
    );
    expect(problem).toMatchObject({
      status: 413,
      rule: 'body-too-large',
      detail: expect.stringContaining('GATEWAY_BODY_BYTES'),
    });
  });

  test('for nothing that there is gets a problem that says where to look', async () => {
    expect(await problemIn(await gateway.send('GET', '/v2/things'))).toMatchObject({
      status: 404,
      rule: 'not-found',
      detail: expect.stringContaining('GET /'),
    });
  });

  test('with a path that is not UTF-8 is refused', async () => {
    expect((await problemIn(await gateway.send('GET', '/v1/collections/%E0%A4%A'))).status).toBe(400);
  });
});

describe('the gateway', () => {
  test('responds to / with links that work', async () => {
    const { links } = (await (await gateway.send('GET', '/')).json()) as { links: Record<string, string> };
    for (const link of Object.values(links)) expect([link, (await fetch(link)).status]).toEqual([link, 200]);
  });

  test('has the routes of the contract and no others but those of the pages about it', () => {
    const { router } = gateway.application.getHttpAdapter().getInstance() as Express;
    const served = (router.stack as unknown as readonly Layer[]).flatMap(({ route }) =>
      route === undefined
        ? []
        : Object.keys(route.methods).map((method) => `${method.toUpperCase()} ${route.path}`),
    );
    const described = Object.values(operations).map(
      ({ method, path }) => `${method} ${path.replace(/\{(\w+)\}/g, ':$1')}`,
    );
    expect(served.filter((route) => !/^(GET|HEAD) \/docs/.test(route)).toSorted()).toEqual(
      described.toSorted(),
    );
  });

  test('describes every route in its OpenAPI document', async () => {
    const { paths } = (await (await gateway.send('GET', '/openapi.json')).json()) as {
      paths: Record<string, Record<string, { requestBody?: unknown; parameters?: { name: string }[] }>>;
    };
    const routes = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(routes.toSorted()).toEqual([
      'DELETE /v1/collections/{collection}',
      'DELETE /v1/collections/{collection}/feeds/{feed}',
      'DELETE /v1/collections/{collection}/items/{id}',
      'DELETE /v1/collections/{collection}/subscriptions/{subscription}',
      'DELETE /v1/dead-letters/{letter}',
      'DELETE /v1/keys/{key}',
      'DELETE /v1/tenants/{tenant}',
      'GET /',
      'GET /asyncapi.json',
      'GET /feeds/{collection}.{format}',
      'GET /feeds/{collection}/complete.{format}',
      'GET /feeds/{collection}/reader.{format}',
      'GET /feeds/{collection}/{feed}.{format}',
      'GET /files/{collection}/{digest}',
      'GET /files/{collection}/{digest}/{name}',
      'GET /health/live',
      'GET /health/ready',
      'GET /metrics',
      'GET /openapi.json',
      'GET /v1/audit',
      'GET /v1/changes',
      'GET /v1/collections',
      'GET /v1/collections/{collection}',
      'GET /v1/collections/{collection}/changes',
      'GET /v1/collections/{collection}/conflicts',
      'GET /v1/collections/{collection}/deletions/{deletion}',
      'GET /v1/collections/{collection}/discovered-feeds',
      'GET /v1/collections/{collection}/documents',
      'GET /v1/collections/{collection}/feeds',
      'GET /v1/collections/{collection}/feeds/{feed}',
      'GET /v1/collections/{collection}/files',
      'GET /v1/collections/{collection}/items',
      'GET /v1/collections/{collection}/items/{id}',
      'GET /v1/collections/{collection}/outline',
      'GET /v1/collections/{collection}/subscriptions',
      'GET /v1/collections/{collection}/subscriptions/{subscription}',
      'GET /v1/collections/{collection}/subscriptions/{subscription}/fetches',
      'GET /v1/collections/{collection}/tree',
      'GET /v1/conflicts',
      'GET /v1/dead-letters',
      'GET /v1/dead-letters/{letter}',
      'GET /v1/keys',
      'GET /v1/keys/{key}',
      'GET /v1/me',
      'GET /v1/subscriptions',
      'GET /v1/subscriptions/counts',
      'GET /v1/tenants',
      'GET /v1/tenants/{tenant}',
      'GET /websub/{token}',
      'PATCH /v1/collections/{collection}',
      'PATCH /v1/collections/{collection}/items/{id}',
      'PATCH /v1/collections/{collection}/subscriptions/{subscription}',
      'PATCH /v1/tenants/{tenant}',
      'POST /v1/collections/{collection}/endpoint',
      'POST /v1/collections/{collection}/files',
      'POST /v1/collections/{collection}/items',
      'POST /v1/collections/{collection}/items/{id}/links/{link}/fetch',
      'POST /v1/collections/{collection}/items/{id}/resolve',
      'POST /v1/collections/{collection}/items/{id}/undelete',
      'POST /v1/collections/{collection}/outline',
      'POST /v1/collections/{collection}/subscriptions',
      'POST /v1/collections/{collection}/subscriptions/{subscription}/pause',
      'POST /v1/collections/{collection}/subscriptions/{subscription}/refresh',
      'POST /v1/collections/{collection}/subscriptions/{subscription}/resume',
      'POST /v1/dead-letters/discard',
      'POST /v1/dead-letters/retry',
      'POST /v1/dead-letters/{letter}/retry',
      'POST /v1/keys',
      'POST /v1/keys/{key}/rotate',
      'POST /v1/preview',
      'POST /v1/subscriptions/pause',
      'POST /v1/subscriptions/refresh',
      'POST /v1/subscriptions/resume',
      'POST /websub/{token}',
      'PUT /v1/collections/{collection}',
      'PUT /v1/collections/{collection}/feeds/{feed}',
      'PUT /v1/collections/{collection}/items/{id}',
      'PUT /v1/collections/{collection}/outline',
      'PUT /v1/collections/{collection}/subscriptions/{subscription}',
      'PUT /v1/collections/{collection}/visibility',
      'PUT /v1/tenants/{tenant}',
    ]);
    expect(paths['/v1/collections/{collection}']?.['put']?.requestBody).toMatchObject({
      content: { 'application/json': { schema: { $ref: '#/components/schemas/CollectionBody' } } },
    });
    expect(paths['/v1/collections/{collection}/items']?.['post']?.requestBody).toMatchObject({
      content: { 'application/json': { schema: { $ref: '#/components/schemas/ItemCreation' } } },
    });
    expect(
      paths['/v1/collections/{collection}/changes']?.['get']?.parameters?.map(({ name }) => name),
    ).toEqual(expect.arrayContaining(['collection', 'since', 'limit', 'mode', 'Last-Event-ID']));
  });
});
