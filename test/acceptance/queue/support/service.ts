import type { INestMicroservice, Type } from '@nestjs/common';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { CustomTransportStrategy } from '@nestjs/microservices';

/** A Nest microservice with one controller on one transport, listening. */
export async function startService(
  controller: Type,
  strategy: CustomTransportStrategy,
): Promise<INestMicroservice> {
  @Module({ controllers: [controller] })
  class ServiceModule {}
  const service = await NestFactory.createMicroservice(ServiceModule, {
    strategy,
    logger: false,
    abortOnError: false,
  });
  await service.listen();
  return service;
}
