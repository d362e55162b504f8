import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { rfc822Date } from './rfc822-date.ts';
import { readDate } from './date.ts';

test.each([
  ['Fri, 06 Jan 2006 19:24:09 GMT', '2006-01-06T19:24:09Z'],
  ['Fri, 6 Jan 2006 19:24:09 GMT', '2006-01-06T19:24:09Z'],
  ['6 Jan 2006 19:24:09 GMT', '2006-01-06T19:24:09Z'],
  ['Tue, 29 Feb 2000 00:00:00 GMT', '2000-02-29T00:00:00Z'],
  [' Fri,\n 06 Jan 2006 19:24:09 GMT ', '2006-01-06T19:24:09Z'],
])('a date is read as the specification writes it: %j', (text, dateTime) => {
  expect(readDate(text)).toMatchObject({ dateTime, isStrict: true });
});

test.each([
  ['the wrong day of the week', 'Tue, 1 Nov 2004 09:43:33 GMT', '2004-11-01T09:43:33Z'],
  ['a day of the week that is none', 'Ven, 06 Jan 2006 19:24:09 GMT', '2006-01-06T19:24:09Z'],
  ['a day of the week without a comma', 'Fri 06 Jan 2006 19:24:09 GMT', '2006-01-06T19:24:09Z'],
  ['whole names', 'Friday, 06 January 2006 19:24:09 GMT', '2006-01-06T19:24:09Z'],
  ['other case', 'FRI, 06 jan 2006 19:24:09 gmt', '2006-01-06T19:24:09Z'],
  ['a year of two digits before 50', 'Fri, 06 Jan 06 19:24:09 GMT', '2006-01-06T19:24:09Z'],
  ['a year of two digits from 50 on', '06 Jan 50 19:24:09 GMT', '1950-01-06T19:24:09Z'],
  ['a year of three digits', '06 Jan 106 19:24:09 GMT', '2006-01-06T19:24:09Z'],
  ['no seconds', 'Fri, 06 Jan 2006 19:24 GMT', '2006-01-06T19:24:00Z'],
  ['an hour of one digit', 'Fri, 06 Jan 2006 9:24:09 GMT', '2006-01-06T09:24:09Z'],
  ['fractions of a second', 'Fri, 06 Jan 2006 19:24:09.75 GMT', '2006-01-06T19:24:09Z'],
  ['a leap second', 'Sat, 31 Dec 2005 23:59:60 GMT', '2006-01-01T00:00:00Z'],
  ['no zone', 'Fri, 06 Jan 2006 19:24:09', '2006-01-06T19:24:09Z'],
  ['UT', 'Fri, 06 Jan 2006 19:24:09 UT', '2006-01-06T19:24:09Z'],
  ['Z', 'Fri, 06 Jan 2006 19:24:09Z', '2006-01-06T19:24:09Z'],
  [
    'a military zone, which says nothing (RFC 2822 4.3)',
    'Fri, 06 Jan 2006 19:24:09 A',
    '2006-01-06T19:24:09Z',
  ],
  ['a zone by name', 'Fri, 06 Jan 2006 19:24:09 PST', '2006-01-07T03:24:09Z'],
  ['an offset', 'Fri, 06 Jan 2006 19:24:09 +0530', '2006-01-06T13:54:09Z'],
  ['an offset with a colon', 'Fri, 06 Jan 2006 19:24:09 -05:00', '2006-01-07T00:24:09Z'],
  ['a name with an offset', 'Fri, 06 Jan 2006 19:24:09 GMT+0100', '2006-01-06T18:24:09Z'],
  ['a comment in a comment', 'Fri, 06 Jan 2006 (the (sixth)) 19:24:09 -0800 (PST)', '2006-01-07T03:24:09Z'],
  ['hyphens', '06-Jan-2006 19:24:09 GMT', '2006-01-06T19:24:09Z'],
  ['a zone of Europe by name', 'Fri, 06 Jan 2006 19:24:09 CET', '2006-01-06T18:24:09Z'],
  ['a summer time by name', 'Thu, 06 Jul 2006 19:24:09 CEST', '2006-07-06T17:24:09Z'],
  ['half an hour', 'Fri, 06 Jan 2006 19:24:09 IST', '2006-01-06T13:54:09Z'],
  ['the month before the day', 'Fri, Oct 7 2022 10:15:00 -0400', '2022-10-07T14:15:00Z'],
  ['the month before the day, and a comma', 'October 7th, 2022 10:15', '2022-10-07T10:15:00Z'],
  ['a half of the day', 'Oct 7, 2022 12:15 a.m. EST', '2022-10-07T05:15:00Z'],
  ['the other half', '7 Oct 2022 10:15 PM', '2022-10-07T22:15:00Z'],
  ['the form of asctime', 'Fri Oct  7 10:15:00 2022', '2022-10-07T10:15:00Z'],
  ['no time', 'Fri, 07 Oct 2022', '2022-10-07T00:00:00Z'],
  ['W3CDTF without a time', '2026-11-02', '2026-11-02T00:00:00Z'],
  ['W3CDTF without a day', '2026-11', '2026-11-01T00:00:00Z'],
  ['W3CDTF with a space before its offset', '2022-10-07 10:15:00 -0400', '2022-10-07T14:15:00Z'],
  ['W3CDTF with a zone by name', '2022-10-07 10:15:00 UTC', '2022-10-07T10:15:00Z'],
  ['RFC 3339', '2006-01-06T19:24:09Z', '2006-01-06T19:24:09Z'],
  ['RFC 3339 with offset and fractions', '2006-01-06T19:24:09.123+02:00', '2006-01-06T17:24:09Z'],
])('a date is read that has %s, and said to be written otherwise', (_case, text, dateTime) => {
  expect(readDate(text)).toMatchObject({ dateTime, isStrict: false });
});

test.each([
  'Fri, 06 Jan 2006 19:24:09 GMT',
  '6 Jan 06 19:24 UT',
  'Fri, 06 Jan 2006 19:24:09 +0530',
  'Fri, 06 Jan 2006 19:24:09 PST',
])('%j is written by RFC 822', (text) => {
  expect(readDate(text)?.isRfc822).toBe(true);
});

test.each([
  'Mon, 2 Oct. 2006 12:35:12 GMT',
  'Mon, 2 Oct 2006 12:35:12',
  'Mon, 2 Oct 2006 1:35:12 GMT',
  'Tue, 2 Oct 2006 12:35:12 GMT',
  '2 oct 2006 12:35:12 GMT',
  'Mon, 2 Oct 2006 12:35:12 +02:00',
  '2006-10-02T12:35:12Z',
])('%j is read, and is not written by RFC 822', (text) => {
  expect(readDate(text)?.isRfc822).toBe(false);
});

describe('what is no date is not read', () => {
  test.each([
    '',
    'now',
    '1136575449',
    '30 Feb 2006 00:00:00 GMT',
    '29 Feb 1900 00:00:00 GMT',
    '0 Jan 2006 00:00:00 GMT',
    '06 Foo 2006 19:24:09 GMT',
    '06 Jan 2006 24:00:00 GMT',
    '06 Jan 2006 19:60:09 GMT',
    '06 Jan 2006 19:24:61 GMT',
    'Fri, 06 Jan 12006 19:24:09 GMT',
    '2006-02-30T00:00:00Z',
    '0000-01-01T00:00:00+01:00',
    '9999-12-31T23:59:59-01:00',
    `06 Jan 2006 19:24:09 GMT${' '.repeat(100)}`,
  ])('%j', (text) => {
    expect(readDate(text)).toBeUndefined();
  });
});

test('every date-time comes back from the way it is written, as the specification asks', () => {
  const seconds = fc.integer({ min: Date.UTC(1000, 0) / 1000, max: Date.UTC(9999, 11, 31) / 1000 });
  fc.assert(
    fc.property(seconds, (second) => {
      const dateTime = new Date(second * 1000).toISOString().replace('.000Z', 'Z');
      expect(readDate(rfc822Date(dateTime))).toMatchObject({ dateTime, isStrict: true });
    }),
  );
});

test('a leap second is written as the second before it', () => {
  expect(rfc822Date('2005-12-31T23:59:60Z')).toBe('Sat, 31 Dec 2005 23:59:59 GMT');
});
