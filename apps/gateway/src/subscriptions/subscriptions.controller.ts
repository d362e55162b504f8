import type { SubscribedListView, SubscribedView, SubscriptionView } from '#contracts';
import { Body, Controller, Inject, Param, Query, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { z } from 'zod';
import {
  collectionName,
  newSubscriptionBody,
  pageQuery,
  subscriptionBody,
  subscriptionName,
} from '#contracts';
import type { Subscription } from '#core';
import { findCollection } from '../collections/find-collection.ts';
import { gatewayPorts } from '../gateway-ports.ts';
import type { GatewayPorts } from '../gateway-ports.ts';
import { readOutlineBody, sendOutlineDocument, wantsOutlineDocument } from '../outline/outline-document.ts';
import { readPage, showPage } from '../pages/page.ts';
import { checkInput } from '../requests/check-input.ts';
import { readPatch } from '../requests/merge-patch.ts';
import { allSubscriptions } from './all-subscriptions.ts';
import { pause, refresh, resume, unsubscribe } from './change-subscription.ts';
import { findSubscription } from './find-subscription.ts';
import { patchSubscription } from './patch-subscription.ts';
import { signedElsewhere } from './signed-elsewhere.ts';
import { subscribe } from './subscribe.ts';
import { subscribeToList, subscriptionList } from './subscription-list.ts';
import { subscriptionView } from './subscription-view.ts';
import { Route } from '../requests/route.ts';

@Controller()
export class SubscriptionsController {
  constructor(@Inject(gatewayPorts) private readonly ports: GatewayPorts) {}

  @Route('listSubscriptions')
  async list(
    @Param('collection', { schema: collectionName }) name: string,
    @Query({ schema: pageQuery }) query: z.infer<typeof pageQuery>,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const { store, publicUrl } = this.ports;
    const collection = await findCollection(this.ports, name);
    if (wantsOutlineDocument(request))
      return sendOutlineDocument(
        response,
        `${name}-subscriptions`,
        subscriptionList(collection, await allSubscriptions(store, name)),
      );
    const elsewhere = await signedElsewhere(this.ports, name);
    const page = await readPage(
      query,
      this.ports,
      (wanted) => store.subscriptions.list(name, wanted),
      ({ id }) => id,
    );
    response
      .vary('Accept')
      .json(
        showPage(response, publicUrl, page, (subscription) =>
          subscriptionView(subscription, elsewhere.get(subscription.id)),
        ),
      );
  }

  @Route('createSubscription')
  async create(
    @Param('collection', { schema: collectionName }) name: string,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SubscribedView> {
    if (typeof request.body === 'string') return this.#subscribeToList(name, request, response);
    const body = checkInput(newSubscriptionBody, 'body', request.body as unknown);
    const { created, subscription } = await subscribe(this.ports, name, body);
    response
      .status(created ? 201 : 200)
      .location(`${this.ports.publicUrl}/v1/collections/${name}/subscriptions/${subscription.id}`);
    return this.#view(subscription);
  }

  @Route('putSubscription')
  async put(
    @Param('collection', { schema: collectionName }) name: string,
    @Param('subscription', { schema: subscriptionName }) id: string,
    @Body({ schema: subscriptionBody }) body: z.infer<typeof subscriptionBody>,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SubscriptionView> {
    const { created, subscription } = await subscribe(this.ports, name, { ...body, subscription: id });
    response.status(created ? 201 : 200);
    return this.#view(subscription);
  }

  @Route('patchSubscription')
  async patch(
    @Param('collection', { schema: collectionName }) name: string,
    @Param('subscription', { schema: subscriptionName }) id: string,
    @Req() request: Request,
  ): Promise<SubscriptionView> {
    return this.#view(await patchSubscription(this.ports, name, id, readPatch(request)));
  }

  @Route('readSubscription')
  async read(
    @Param('collection', { schema: collectionName }) name: string,
    @Param('subscription', { schema: subscriptionName }) id: string,
  ): Promise<SubscriptionView> {
    return this.#view(await findSubscription(this.ports, name, id));
  }

  @Route('removeSubscription')
  async remove(
    @Param('collection', { schema: collectionName }) name: string,
    @Param('subscription', { schema: subscriptionName }) id: string,
  ): Promise<void> {
    await unsubscribe(this.ports, name, id);
  }

  @Route('refreshSubscription')
  async refresh(
    @Param('collection', { schema: collectionName }) name: string,
    @Param('subscription', { schema: subscriptionName }) id: string,
  ): Promise<SubscriptionView> {
    return this.#view(await refresh(this.ports, name, id));
  }

  @Route('pauseSubscription')
  async pause(
    @Param('collection', { schema: collectionName }) name: string,
    @Param('subscription', { schema: subscriptionName }) id: string,
  ): Promise<SubscriptionView> {
    return this.#view(await pause(this.ports, name, id));
  }

  @Route('resumeSubscription')
  async resume(
    @Param('collection', { schema: collectionName }) name: string,
    @Param('subscription', { schema: subscriptionName }) id: string,
  ): Promise<SubscriptionView> {
    return this.#view(await resume(this.ports, name, id));
  }

  async #view(subscription: Subscription): Promise<SubscriptionView> {
    return subscriptionView(
      subscription,
      (await signedElsewhere(this.ports, subscription.collection)).get(subscription.id),
    );
  }

  async #subscribeToList(name: string, request: Request, response: Response): Promise<SubscribedListView> {
    await findCollection(this.ports, name);
    const list = readOutlineBody(request);
    response.status(200);
    return subscribeToList(this.ports, name, list, await allSubscriptions(this.ports.store, name));
  }
}
