import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import type { NextFunction, Request, Response } from 'express';

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

/** Serves the description of the HTTP interface: `/openapi.json` for programs, `/docs` for people. */
export function serveDocumentation(application: INestApplication): void {
  const description = new DocumentBuilder()
    .setTitle('Feedmesh')
    .setDescription(
      'Keeps collections of items in step between endpoints that share nothing but feeds (FeedSync ' +
        '1.0.2, SSE 0.91), and mirrors and publishes trees of feeds (Content Sync Extensions). Errors ' +
        'are problems (RFC 9457).',
    )
    .setVersion('1')
    .build();
  const document = SwaggerModule.createDocument(application, description);
  application.use('/docs', (_request: Request, response: Response, next: NextFunction) => {
    response.set('Content-Security-Policy', documentationPolicy);
    next();
  });
  SwaggerModule.setup('docs', application, document, { jsonDocumentUrl: 'openapi.json', raw: ['json'] });
}
