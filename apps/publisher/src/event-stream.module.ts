import { Global, Inject, Module } from '@nestjs/common';
import type { DynamicModule, OnApplicationShutdown } from '@nestjs/common';
import { DegradedError, redisLocation } from '#service';
import type { FurtherChecks, PublisherConfiguration } from '#service';
import { openEventStream } from '#queue';
import type { OpenEventStream } from '#queue';

/** Under which Nest gives out the open `EventStream`. */
export const eventStream = Symbol('EventStream');

/** Opens the event streams once for the publisher and its health page. */
@Global()
@Module({})
export class EventStreamModule implements OnApplicationShutdown {
  constructor(@Inject(eventStream) private readonly stream: OpenEventStream) {}

  static register(configuration: PublisherConfiguration): DynamicModule {
    const { STREAM_LENGTH, STREAM_PARTITIONS, STREAM_REPLICAS } = configuration;
    return {
      module: EventStreamModule,
      providers: [
        {
          provide: eventStream,
          useFactory: () =>
            openEventStream({
              ...redisLocation(configuration),
              partitions: STREAM_PARTITIONS,
              maximumLength: STREAM_LENGTH,
              replicas: STREAM_REPLICAS,
            }),
        },
      ],
      exports: [eventStream],
    };
  }

  async onApplicationShutdown(): Promise<void> {
    await this.stream.close();
  }
}

/** Has the health page say whether the streams have as many replicas as they must have. */
export function replicaCheck(streams: DynamicModule): FurtherChecks {
  return {
    imports: [streams],
    inject: [eventStream],
    checks: (stream: OpenEventStream) => ({
      async stream() {
        const shortage = await stream.missingReplicas();
        if (shortage !== undefined) throw new DegradedError(`${shortage}: no events are relayed`);
      },
    }),
  };
}
