import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger';

/** Serves the description of the HTTP interface: `/openapi.json` for programs, `/docs` for people. */
export function serveDocumentation(application: INestApplication): void {
  const description = new DocumentBuilder()
    .setTitle('Feedmesh')
    .setDescription('Keeps collections of items in step between endpoints that share nothing but feeds (FeedSync 1.0.2, SSE 0.91), and mirrors and publishes trees of feeds (Content Sync Extensions). Errors are problems (RFC 9457).')
    .setVersion('1')
    .build();
  const document = SwaggerModule.createDocument(application, description);
  SwaggerModule.setup('docs', application, document, { jsonDocumentUrl: 'openapi.json', raw: ['json'] });
}
