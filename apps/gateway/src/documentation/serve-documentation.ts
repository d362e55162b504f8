import type { INestApplication } from '@nestjs/common';
import { ExpressAdapter } from '@nestjs/platform-express';
import type { OpenAPIObject } from '@nestjs/swagger';
import type { Express, NextFunction, Request, Response } from 'express';
import { failWork } from '#service';
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
export function serveDocumentation(express: Express): void {
  let pages: Promise<Express> | undefined;
  let openApi: object | undefined;
  let asyncApi: object | undefined;
  const sendPage = (request: Request, response: Response, next: NextFunction): void => {
    response.set('Content-Security-Policy', documentationPolicy);
    (pages ??= documentationPages()).then((page) => page(request, response, next)).catch(failWork);
  };
  for (const path of ['/docs', '/docs/*file']) express.get(path, sendPage);
  express.get('/openapi.json', (_request: Request, response: Response) => {
    response.json((openApi ??= openApiDocument()));
  });
  express.get('/asyncapi.json', (_request: Request, response: Response) => {
    response.json((asyncApi ??= asyncApiDocument()));
  });
}

/** Swagger UI, which is more than half of what a gateway would otherwise load. */
async function documentationPages(): Promise<Express> {
  const { SwaggerModule } = await import('@nestjs/swagger');
  const adapter = new ExpressAdapter();
  const application = {
    getHttpAdapter: () => adapter,
    useStaticAssets: adapter.useStaticAssets.bind(adapter),
  };
  const document = openApiDocument() as unknown as OpenAPIObject;
  SwaggerModule.setup('docs', application as unknown as INestApplication, document, { raw: false });
  return adapter.getInstance<Express>();
}
