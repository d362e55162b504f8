import { synchronisationNamespaces } from '#protocols';
import type { Request, Response } from 'express';
import { inSlices } from '#core';
import { readOutlineDocument, writeOutlineDocument } from '#xml';
import type { OutlineDocument } from '#xml';
import type { GatewayPorts } from '../gateway-ports.ts';
import { ProblemError } from '../problems/problem-error.ts';
import { sendText } from '../requests/send-text.ts';
import { textReadOnce } from '../texts/shared-text.ts';

/** The media types of an OPML document. */
export const outlineTypes = ['text/x-opml', 'application/xml', 'text/xml'];

/** Whether the client likes OPML better than JSON. Throws `ProblemError` 406 if it takes neither. */
export function wantsOutlineDocument(request: Request): boolean {
  const offered = ['application/json', ...outlineTypes];
  const accepted = request.accepts(offered);
  if (accepted === false)
    throw new ProblemError(406, 'not-acceptable', `This can be had as ${offered.join(', ')}.`);
  return accepted !== 'application/json';
}

/** Responds with an outline as plain OPML, to be kept as a file of the collection's name. */
export async function sendOutlineDocument(
  ports: Pick<GatewayPorts, 'configuration' | 'downloads' | 'reads'>,
  name: string,
  document: OutlineDocument,
  request: Request,
  response: Response,
): Promise<void> {
  response.set({
    'Content-Type': 'text/x-opml; charset=utf-8',
    'Content-Disposition': `attachment; filename="${name}.opml"`,
    'Cache-Control': 'no-cache',
    Vary: 'Accept, Accept-Encoding',
  });
  const text = textReadOnce(ports.reads, writeOutlineDocument(document));
  await sendText(ports, text, request, response);
}

/**
 * The outline that a request brings. Throws `ProblemError` 415 for a body that is no XML, `FeedError` for one
 * that is no OPML.
 */
export async function readOutlineBody({ body }: Pick<Request, 'body'>): Promise<OutlineDocument> {
  if (typeof body !== 'string')
    throw new ProblemError(
      415,
      'unsupported-media-type',
      `An outline is sent as OPML: ${outlineTypes.join(', ')}.`,
    );
  return inSlices(readOutlineDocument(body, { synchronisation: synchronisationNamespaces }));
}
