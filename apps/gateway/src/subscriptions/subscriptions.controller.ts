import type { FetchesView, SubscribedView, SubscriptionView } from '#contracts';
import { Body, Controller, Inject, Query, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { z } from 'zod';
import { newSubscriptionBody, subscriptionsQuery, subscriptionBody } from '#contracts';
import { nameOf } from '#core';
import type { CollectionKey, Subscription, SubscriptionId } from '#core';
import { noteSubject } from '../audit/change-in-progress.ts';
import { findCollection } from '../collections/find-collection.ts';
import { gatewayPorts } from '../gateway-ports.ts';
import type { GatewayPorts } from '../gateway-ports.ts';
import { sendOutlineDocument, wantsOutlineDocument } from '../outline/outline-document.ts';
import { readPage, showPage } from '../pages/page.ts';
import { checkInput } from '../requests/check-input.ts';
import { readPatch } from '../requests/merge-patch.ts';
import { allSubscriptions } from './all-subscriptions.ts';
import { pause, refresh, resume, unsubscribe } from './change-subscription.ts';
import { fetchesView } from './fetches-view.ts';
import { findSubscription } from './find-subscription.ts';
import { lateBefore } from './lateness.ts';
import { sendProgress, wantsProgress } from './list-progress.ts';
import { patchSubscription } from './patch-subscription.ts';
import { signedElsewhere } from './signed-elsewhere.ts';
import { subscribe } from './subscribe.ts';
import { readSubscriptionList, subscribeToList, subscriptionList } from './subscription-list.ts';
import { subscriptionView } from './subscription-view.ts';
import { Route } from '../requests/route.ts';
import { CollectionParam, SubscriptionParam } from '../requests/path-parameter.ts';

@Controller()
export class SubscriptionsController {
  constructor(@Inject(gatewayPorts) private readonly ports: GatewayPorts) {}

  @Route('listSubscriptions')
  async list(
    @CollectionParam() key: CollectionKey,
    @Query({ schema: subscriptionsQuery }) query: z.infer<typeof subscriptionsQuery>,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const { store, publicUrl } = this.ports;
    const collection = await findCollection(this.ports, key);
    if (wantsOutlineDocument(request))
      return sendOutlineDocument(
        this.ports,
        `${nameOf(key)}-subscriptions`,
        subscriptionList(collection, await allSubscriptions(store, key)),
        request,
        response,
      );
    const elsewhere = await signedElsewhere(this.ports, key);
    const { state, cause } = query;
    const filter = {
      collection: key,
      ...(state !== undefined && { state }),
      ...(cause !== undefined && { cause }),
      lateBefore: lateBefore(this.ports),
    };
    const page = await readPage(
      query,
      this.ports,
      ({ after, limit }) =>
        store.subscriptions.select(filter, {
          ...(after !== undefined && { after: `${key}/${after}` }),
          limit,
        }),
      ({ id }) => id,
    );
    response
      .vary('Accept')
      .json(
        showPage(response, publicUrl, page, (subscription) =>
          subscriptionView(subscription, filter.lateBefore, elsewhere.get(subscription.id)),
        ),
      );
  }

  @Route('createSubscription')
  async create(
    @CollectionParam() key: CollectionKey,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    if (typeof request.body === 'string') return this.#subscribeToList(key, request, response);
    const body = checkInput(newSubscriptionBody, 'body', request.body as unknown);
    const { created, subscription } = await subscribe(this.ports, key, body);
    noteSubject('subscription', subscription.id);
    const view = created
      ? subscriptionView(subscription, lateBefore(this.ports))
      : await this.#view(subscription);
    response
      .status(created ? 201 : 200)
      .location(`${this.ports.publicUrl}/v1/collections/${nameOf(key)}/subscriptions/${subscription.id}`)
      .json(view satisfies SubscribedView);
  }

  @Route('putSubscription')
  async put(
    @CollectionParam() key: CollectionKey,
    @SubscriptionParam() id: SubscriptionId,
    @Body({ schema: subscriptionBody }) body: z.infer<typeof subscriptionBody>,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SubscriptionView> {
    const { created, subscription } = await subscribe(this.ports, key, { ...body, subscription: id });
    response.status(created ? 201 : 200);
    return created ? subscriptionView(subscription, lateBefore(this.ports)) : this.#view(subscription);
  }

  @Route('patchSubscription')
  async patch(
    @CollectionParam() key: CollectionKey,
    @SubscriptionParam() id: SubscriptionId,
    @Req() request: Request,
  ): Promise<SubscriptionView> {
    return this.#view(await patchSubscription(this.ports, key, id, readPatch(request)));
  }

  @Route('readSubscription')
  async read(
    @CollectionParam() key: CollectionKey,
    @SubscriptionParam() id: SubscriptionId,
  ): Promise<SubscriptionView> {
    return this.#view(await findSubscription(this.ports, key, id));
  }

  @Route('listFetches')
  async fetches(
    @CollectionParam() key: CollectionKey,
    @SubscriptionParam() id: SubscriptionId,
  ): Promise<FetchesView> {
    return fetchesView(this.ports, await findSubscription(this.ports, key, id));
  }

  @Route('removeSubscription')
  async remove(
    @CollectionParam() key: CollectionKey,
    @SubscriptionParam() id: SubscriptionId,
  ): Promise<void> {
    await unsubscribe(this.ports, key, id);
  }

  @Route('refreshSubscription')
  async refresh(
    @CollectionParam() key: CollectionKey,
    @SubscriptionParam() id: SubscriptionId,
  ): Promise<SubscriptionView> {
    return this.#view(await refresh(this.ports, key, id));
  }

  @Route('pauseSubscription')
  async pause(
    @CollectionParam() key: CollectionKey,
    @SubscriptionParam() id: SubscriptionId,
  ): Promise<SubscriptionView> {
    return this.#view(await pause(this.ports, key, id));
  }

  @Route('resumeSubscription')
  async resume(
    @CollectionParam() key: CollectionKey,
    @SubscriptionParam() id: SubscriptionId,
  ): Promise<SubscriptionView> {
    return this.#view(await resume(this.ports, key, id));
  }

  async #view(subscription: Subscription): Promise<SubscriptionView> {
    return subscriptionView(
      subscription,
      lateBefore(this.ports),
      (await signedElsewhere(this.ports, subscription.collection)).get(subscription.id),
    );
  }

  async #subscribeToList(key: CollectionKey, request: Request, response: Response): Promise<void> {
    const collection = await findCollection(this.ports, key);
    const list = await readSubscriptionList(request);
    response.status(200).vary('Accept');
    if (wantsProgress(request))
      return sendProgress(response, (progress) => subscribeToList(this.ports, collection, list, progress));
    response.json((await subscribeToList(this.ports, collection, list)) satisfies SubscribedView);
  }
}
