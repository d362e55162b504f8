import {
  Body,
  Controller,
  Delete,
  Get,
  HttpCode,
  Inject,
  Param,
  Patch,
  Post,
  Put,
  Query,
  Req,
  Res,
} from '@nestjs/common';
import { ApiOperation, ApiProduces, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import type { z } from 'zod';
import { collectionName, subscriptionName } from '#contracts';
import type { Subscription } from '#core';
import { findCollection } from '../collections/find-collection.ts';
import { gatewayPorts } from '../gateway-ports.ts';
import type { GatewayPorts } from '../gateway-ports.ts';
import {
  outlineTypes,
  readOutlineBody,
  sendOutlineDocument,
  wantsOutlineDocument,
} from '../outline/outline-document.ts';
import { pageQuery, readPage, showPage } from '../pages/page.ts';
import { ApiBody } from '../requests/api-body.ts';
import { checkInput } from '../requests/check-input.ts';
import { patchTypes, readPatch } from '../requests/merge-patch.ts';
import { allSubscriptions } from './all-subscriptions.ts';
import { pause, refresh, resume, unsubscribe } from './change-subscription.ts';
import { findSubscription } from './find-subscription.ts';
import { patchSubscription } from './patch-subscription.ts';
import { signedElsewhere } from './signed-elsewhere.ts';
import { subscribe } from './subscribe.ts';
import { newSubscriptionBody, subscriptionBody, subscriptionPatch } from './subscription-body.ts';
import { subscribeToList, subscriptionList } from './subscription-list.ts';
import type { SubscribedList } from './subscription-list.ts';
import { subscriptionView } from './subscription-view.ts';

@ApiTags('subscriptions')
@Controller('v1/collections/:collection/subscriptions')
export class SubscriptionsController {
  constructor(@Inject(gatewayPorts) private readonly ports: GatewayPorts) {}

  @Get()
  @ApiOperation({
    summary:
      'Lists the subscriptions of a collection by name; as text/x-opml, all of them as a subscription ' +
      'list for aggregators.',
  })
  @ApiProduces('application/json', 'text/x-opml')
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

  @Post()
  @ApiOperation({
    summary:
      'Subscribes to a feed (201), or replaces the subscription of that name (200); without a name, ' +
      'returns the subscription that reads this feed already (200). Subscribes to every feed of a ' +
      'subscription list in OPML (200).',
  })
  @ApiBody(newSubscriptionBody, { xml: outlineTypes })
  async create(
    @Param('collection', { schema: collectionName }) name: string,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ) {
    if (typeof request.body === 'string') return this.#subscribeToList(name, request, response);
    const body = checkInput(newSubscriptionBody, 'body', request.body as unknown);
    const { created, subscription } = await subscribe(this.ports, name, body);
    response
      .status(created ? 201 : 200)
      .location(`${this.ports.publicUrl}/v1/collections/${name}/subscriptions/${subscription.id}`);
    return this.#view(subscription);
  }

  @Put(':subscription')
  @ApiOperation({
    summary:
      'Subscribes to a feed under this name (201), or replaces its address and interval (200). A feed ' +
      'that is subscribed to under another name is refused (409).',
  })
  async put(
    @Param('collection', { schema: collectionName }) name: string,
    @Param('subscription', { schema: subscriptionName }) id: string,
    @Body({ schema: subscriptionBody }) body: z.infer<typeof subscriptionBody>,
    @Res({ passthrough: true }) response: Response,
  ) {
    const { created, subscription } = await subscribe(this.ports, name, { ...body, subscription: id });
    response.status(created ? 201 : 200);
    return this.#view(subscription);
  }

  @Patch(':subscription')
  @ApiOperation({
    summary:
      'Changes what a merge patch names of a subscription (RFC 7396): its address, its interval or a ' +
      'part of it.',
  })
  @ApiBody(subscriptionPatch, { json: patchTypes })
  async patch(
    @Param('collection', { schema: collectionName }) name: string,
    @Param('subscription', { schema: subscriptionName }) id: string,
    @Req() request: Request,
  ) {
    return this.#view(await patchSubscription(this.ports, name, id, readPatch(request)));
  }

  @Get(':subscription')
  @ApiOperation({
    summary: 'Reads a subscription: how its last fetch went, and when and why the next one is.',
  })
  async read(
    @Param('collection', { schema: collectionName }) name: string,
    @Param('subscription', { schema: subscriptionName }) id: string,
  ) {
    return this.#view(await findSubscription(this.ports, name, id));
  }

  @Delete(':subscription')
  @HttpCode(204)
  @ApiOperation({ summary: 'Ends a subscription; its items stay.' })
  async remove(
    @Param('collection', { schema: collectionName }) name: string,
    @Param('subscription', { schema: subscriptionName }) id: string,
  ): Promise<void> {
    await unsubscribe(this.ports, name, id);
  }

  @Post(':subscription/refresh')
  @HttpCode(202)
  @ApiOperation({ summary: 'Fetches the feed now.' })
  async refresh(
    @Param('collection', { schema: collectionName }) name: string,
    @Param('subscription', { schema: subscriptionName }) id: string,
  ) {
    return this.#view(await refresh(this.ports, name, id));
  }

  @Post(':subscription/pause')
  @HttpCode(200)
  @ApiOperation({ summary: 'Fetches no more until it is resumed.' })
  async pause(
    @Param('collection', { schema: collectionName }) name: string,
    @Param('subscription', { schema: subscriptionName }) id: string,
  ) {
    return this.#view(await pause(this.ports, name, id));
  }

  @Post(':subscription/resume')
  @HttpCode(200)
  @ApiOperation({ summary: 'Takes a paused subscription up again.' })
  async resume(
    @Param('collection', { schema: collectionName }) name: string,
    @Param('subscription', { schema: subscriptionName }) id: string,
  ) {
    return this.#view(await resume(this.ports, name, id));
  }

  async #view(subscription: Subscription): Promise<Record<string, unknown>> {
    return subscriptionView(
      subscription,
      (await signedElsewhere(this.ports, subscription.collection)).get(subscription.id),
    );
  }

  async #subscribeToList(name: string, request: Request, response: Response): Promise<SubscribedList> {
    await findCollection(this.ports, name);
    const list = readOutlineBody(request);
    response.status(200);
    return subscribeToList(this.ports, name, list, await allSubscriptions(this.ports.store, name));
  }
}
