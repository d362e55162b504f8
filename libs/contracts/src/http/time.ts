import { z } from 'zod';

/** A time in UTC, RFC 3339, such as `2026-01-01T10:00:00.000Z`. */
export const time = z.iso.datetime().describe('RFC 3339, in UTC.');
