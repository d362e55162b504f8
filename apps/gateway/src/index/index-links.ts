import type { ServiceIndexView } from '#contracts';
/** Where everything is that does not belong to one collection, by what it is. */
export function indexLinks(publicUrl: string): ServiceIndexView['links'] {
  return {
    collections: `${publicUrl}/v1/collections`,
    subscriptions: `${publicUrl}/v1/subscriptions`,
    deadLetters: `${publicUrl}/v1/dead-letters`,
    documentation: `${publicUrl}/docs`,
    openapi: `${publicUrl}/openapi.json`,
    asyncapi: `${publicUrl}/asyncapi.json`,
    live: `${publicUrl}/health/live`,
    ready: `${publicUrl}/health/ready`,
  };
}
