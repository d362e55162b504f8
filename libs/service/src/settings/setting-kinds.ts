import { isIP } from 'node:net';
import { z } from 'zod';
import { parseUrl } from '#xml';

/** A whole number in decimal digits, within the bounds. */
export function wholeNumber(minimum: number, maximum: number): z.ZodType<number, string> {
  const message = `must be a whole number from ${minimum} to ${maximum}`;
  return z
    .string()
    .regex(/^(0|[1-9]\d{0,14})$/, message)
    .transform(Number)
    .refine((value) => value >= minimum && value <= maximum, message);
}

/** A time in seconds above 0, with or without a fraction. */
export function seconds(maximum: number): z.ZodType<number, string> {
  const message = `must be a number of seconds above 0 and up to ${maximum}`;
  return z
    .string()
    .regex(/^\d{1,9}(\.\d{1,6})?$/, message)
    .transform(Number)
    .refine((value) => value > 0 && value <= maximum, message);
}

/** Any text, or nothing. */
export function optionalText(description: string): z.ZodOptional<z.ZodString> {
  return z.string().optional().describe(description);
}

/** Networks (CIDR), separated by commas. */
export function networks(): z.ZodType<string[], string> {
  return z
    .string()
    .transform((text) =>
      text
        .split(',')
        .map((network) => network.trim())
        .filter((network) => network !== ''),
    )
    .refine(
      (list) => list.every(isNetwork),
      'must be a comma-separated list of networks such as 10.0.0.0/8,fd00::/8',
    );
}

/** Host names without ports, separated by commas; `*` stands for any. In lower case. */
export function hostNames(): z.ZodType<string[], string> {
  return z
    .string()
    .transform((text) =>
      text
        .split(',')
        .map((name) => name.trim().toLowerCase())
        .filter((name) => name !== ''),
    )
    .refine(
      (list) => list.every((name) => name === '*' || /^[a-z0-9_]([a-z0-9_.-]*[a-z0-9_])?$/.test(name)),
      'must be a comma-separated list of host names such as mesh.example,gateway',
    );
}

/** Origins of web pages (RFC 6454), separated by commas; `*` stands for all. */
export function origins(): z.ZodType<string[], string> {
  return z
    .string()
    .transform((text) =>
      text
        .split(',')
        .map((origin) => origin.trim())
        .filter((origin) => origin !== ''),
    )
    .refine(
      (list) => list.every((origin) => origin === '*' || parseUrl(origin)?.origin === origin),
      'must be a comma-separated list of origins such as https://console.example, or *',
    );
}

function isNetwork(text: string): boolean {
  const [, address = '', length = ''] = /^([^/]+)\/(\d{1,3})$/.exec(text) ?? [];
  const version = isIP(address);
  return version !== 0 && Number(length) <= (version === 4 ? 32 : 128);
}
