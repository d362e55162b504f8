import type { INestApplication } from '@nestjs/common';
import { SwaggerModule } from '@nestjs/swagger';
import type { OpenAPIObject } from '@nestjs/swagger';
import type { Express, NextFunction, Request, Response } from 'express';
import { asyncApiDocument } from './asyncapi.ts';
import { openApiDocument } from './openapi.ts';

/**
 * What the pages of Swagger UI need: scripts, requests and images of this gateway, and styles that stand in
 * the page.
 */
const documentationPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/**
 * Serves the description of the HTTP interface (`/openapi.json` for programs, `/docs` for people), and that
 * of queue and stream, `/asyncapi.json`. Each is made when it is first requested, as most gateways never are.
 */
export function serveDocumentation(application: INestApplication): void {
  application.use('/docs', (_request: Request, response: Response, next: NextFunction) => {
    response.set('Content-Security-Policy', documentationPolicy);
    next();
  });
  SwaggerModule.setup('docs', application, () => openApiDocument() as unknown as OpenAPIObject, {
    jsonDocumentUrl: 'openapi.json',
    raw: ['json'],
  });
  let asyncApi: object | undefined;
  (application.getHttpAdapter().getInstance() as Express).get(
    '/asyncapi.json',
    (_request: Request, response: Response) => void response.json((asyncApi ??= asyncApiDocument())),
  );
}
