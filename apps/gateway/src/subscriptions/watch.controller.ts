import type { ChangedSubscriptionsView, SubscriptionCountsView } from '#contracts';
import { allSubscriptionsQuery, subscriptionCountsQuery, subscriptionFilterQuery } from '#contracts';
import { Controller, Inject, Query, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { z } from 'zod';
import { collectionKey } from '#core';
import type { CollectionKey, SubscriptionFilter } from '#core';
import { findCollection } from '../collections/find-collection.ts';
import { gatewayPorts } from '../gateway-ports.ts';
import type { GatewayPorts } from '../gateway-ports.ts';
import { pagePolicy } from '../index/html-page.ts';
import { readPage, showPage } from '../pages/page.ts';
import { Route } from '../requests/route.ts';
import { pauseAll, refreshAll, resumeAll } from './change-subscriptions.ts';
import { lateBefore } from './lateness.ts';
import { subscriptionView } from './subscription-view.ts';
import { writeSubscriptionsPage } from './subscriptions-page.ts';

type FilterQuery = z.infer<typeof subscriptionFilterQuery>;

/** The subscriptions of all collections, for those who watch over them. */
@Controller()
export class WatchController {
  constructor(@Inject(gatewayPorts) private readonly ports: GatewayPorts) {}

  @Route('listAllSubscriptions')
  async list(
    @Query({ schema: allSubscriptionsQuery }) query: z.infer<typeof allSubscriptionsQuery>,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const { store, publicUrl } = this.ports;
    const filter = await this.#filter(query);
    const page = await readPage(
      query,
      this.ports,
      (wanted) => store.subscriptions.select(filter, wanted),
      ({ collection, id }) => `${collection}/${id}`,
    );
    const shown = showPage(response, publicUrl, page, (subscription) =>
      subscriptionView(subscription, filter.lateBefore),
    );
    response.set({ Vary: 'Accept', 'Cache-Control': 'no-cache' });
    if (request.accepts(['application/json', 'text/html']) !== 'text/html') {
      response.json(shown);
      return;
    }
    const counts = await this.#counts(filter.collection);
    response
      .set('Content-Security-Policy', pagePolicy)
      .type('html')
      .send(writeSubscriptionsPage({ publicUrl, query, counts, page: shown }));
  }

  @Route('countSubscriptions')
  async count(
    @Query({ schema: subscriptionCountsQuery }) query: z.infer<typeof subscriptionCountsQuery>,
  ): Promise<SubscriptionCountsView> {
    const { collection } = await this.#filter(query);
    return this.#counts(collection);
  }

  @Route('refreshSubscriptions')
  async refresh(
    @Query({ schema: subscriptionFilterQuery }) query: FilterQuery,
  ): Promise<ChangedSubscriptionsView> {
    return refreshAll(this.ports, await this.#filter(query));
  }

  @Route('pauseSubscriptions')
  async pause(
    @Query({ schema: subscriptionFilterQuery }) query: FilterQuery,
  ): Promise<ChangedSubscriptionsView> {
    return pauseAll(this.ports, await this.#filter(query));
  }

  @Route('resumeSubscriptions')
  async resume(
    @Query({ schema: subscriptionFilterQuery }) query: FilterQuery,
  ): Promise<ChangedSubscriptionsView> {
    return resumeAll(this.ports, await this.#filter(query));
  }

  /** Throws `ProblemError` 404 if there is no such collection. */
  async #filter({ collection, state, cause }: FilterQuery): Promise<SubscriptionFilter> {
    const key = collection === undefined ? undefined : collectionKey(collection);
    if (key !== undefined) await findCollection(this.ports, key);
    return {
      ...(key !== undefined && { collection: key }),
      ...(state !== undefined && { state }),
      ...(cause !== undefined && { cause }),
      lateBefore: lateBefore(this.ports),
    };
  }

  async #counts(collection: CollectionKey | undefined): Promise<SubscriptionCountsView> {
    const { store, reads, configuration } = this.ports;
    const { states, causes } = await reads.run(() =>
      store.subscriptions.counts({
        ...(collection !== undefined && { collection }),
        lateBefore: lateBefore(this.ports),
      }),
    );
    const total = Object.values(states).reduce((sum, count) => sum + count, 0);
    return { total, states, causes, lateSeconds: configuration.GATEWAY_LATE_SECONDS };
  }
}
