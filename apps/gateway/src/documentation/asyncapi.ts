import { changeEvent, commandSchemas } from '#contracts';
import { contractOf, contractSchemas, reachableSchemas, schemaReference } from './contract-schemas.ts';

type Json = Readonly<Record<string, unknown>>;

const commandNotes = {
  subscribe:
    'Subscribes a collection to a feed; the same subscription again replaces its url and interval (seconds).',
  unsubscribe: 'Ends a subscription; its items stay.',
  refresh: 'Fetches a feed now.',
  edit: 'One edit of one item, in the words of the HTTP interface. `ifMatch` is its `revision` or its ETag.',
} as const satisfies Readonly<Record<keyof typeof commandSchemas, string>>;

/** The description of the queue `commands` and of the stream of change events: AsyncAPI 3. */
export function asyncApiDocument(): Json {
  const messages = {
    ...Object.fromEntries(
      Object.entries(commandSchemas).map(([name, schema]) => [
        name,
        {
          name,
          title: `The command ${name}`,
          summary: commandNotes[name as keyof typeof commandNotes],
          contentType: 'application/json',
          payload: schemaReference(schema),
          examples: [{ payload: contractOf(schema).example }],
        },
      ]),
    ),
    change: {
      name: 'change',
      title: 'A change to an item or a subscription',
      summary: 'CloudEvents 1.0, structured JSON, in the field `event` of an entry.',
      contentType: 'application/cloudevents+json',
      payload: schemaReference(changeEvent),
      examples: [{ payload: contractOf(changeEvent).example }],
    },
  };
  return {
    asyncapi: '3.1.0',
    info: {
      title: 'Feedmesh',
      version: '1',
      description: 'What other services send to Feedmesh, and what it tells them, through Redis.',
      license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
    },
    defaultContentType: 'application/json',
    servers: {
      redis: { host: 'localhost:6379', protocol: 'redis', description: 'The Redis of the installation.' },
    },
    channels: {
      commands: {
        address: '{prefix}:commands',
        title: 'The queue `commands`',
        description:
          'A queue of BullMQ with the prefix `{feedmesh}`. The name of a job is that of the command, its ' +
          'data the payload. Commands run at least once; one that can not be run goes to the dead letters.',
        parameters: {
          prefix: {
            description: 'With its braces, which keep all keys of a queue on one node of a cluster.',
            enum: ['{feedmesh}'],
            default: '{feedmesh}',
          },
        },
        messages: Object.fromEntries(
          Object.keys(commandSchemas).map((name) => [name, { $ref: `#/components/messages/${name}` }]),
        ),
      },
      changes: {
        address: 'feedmesh:changes:{partition}',
        title: 'The stream of change events',
        description:
          'A Redis Stream. In order for each collection, at least once. The sequences of a collection have ' +
          'no gap, but only the latest of several changes to an item may be announced. The stream keeps ' +
          'about the last 100,000 events; read those that it has lost from the log of changes.',
        parameters: {
          partition: {
            description: 'The partition of the collection; `0` while there is one.',
            default: '0',
          },
        },
        messages: { change: { $ref: '#/components/messages/change' } },
      },
    },
    operations: {
      runCommand: {
        action: 'receive',
        channel: { $ref: '#/channels/commands' },
        summary: 'Feedmesh runs the commands that it finds in the queue.',
        messages: Object.keys(commandSchemas).map((name) => ({
          $ref: `#/channels/commands/messages/${name}`,
        })),
      },
      announceChange: {
        action: 'send',
        channel: { $ref: '#/channels/changes' },
        summary: 'Feedmesh announces what it has published.',
        messages: [{ $ref: '#/channels/changes/messages/change' }],
      },
    },
    components: { messages, schemas: reachableSchemas(messages, contractSchemas()) },
  };
}
