import type { Violation } from '#xml';
import type { FetchResponse } from '#core';

type OkResponse = Extract<FetchResponse, { status: 'ok' }>;
type HeaderFields = Pick<OkResponse, 'etag' | 'lastModified' | 'contentType'>;

/** How long a header field may be that is kept, in UTF-16 code units. */
const maximumFieldLength = 1024;

const names: Readonly<Record<keyof HeaderFields, string>> = {
  etag: 'ETag',
  lastModified: 'Last-Modified',
  contentType: 'Content-Type',
};

/**
 * What is kept of the header of a response: a field that is too long is not, so the next request goes without
 * that condition.
 */
export function keptFields({ etag, lastModified, contentType }: HeaderFields): HeaderFields {
  return Object.fromEntries(
    Object.entries({ etag, lastModified, contentType }).filter(
      ([, value]) => value !== undefined && value.length <= maximumFieldLength,
    ),
  );
}

/** Says which fields of a header are not kept. */
export function unkeptFields(response: HeaderFields): Violation[] {
  return (['etag', 'lastModified', 'contentType'] as const).flatMap((name) => {
    const length = response[name]?.length ?? 0;
    if (length <= maximumFieldLength) return [];
    const message =
      `The header field ${names[name]} has ${length} characters; ` +
      `at most ${maximumFieldLength} are kept (limit "fieldLength").`;
    return [
      { rule: 'limit-field-length', section: 'limits', severity: 'warning', message, line: 1, column: 1 },
    ];
  });
}
