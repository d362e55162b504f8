import { z } from 'zod';
import { optionalText, seconds, wholeNumber } from './setting-kinds.ts';
import { readTlsFiles } from './tls-files.ts';
import type { TlsFiles } from './tls-files.ts';

/** Where MongoDB is: one group of settings, which every service has. */
export const mongodbSettings = {
  MONGODB_URI: z
    .string()
    .regex(/^mongodb(\+srv)?:\/\/\S+$/, 'must be a URI such as mongodb://host:27017/feedmesh')
    .default('mongodb://127.0.0.1:27017/feedmesh?directConnection=true')
    .describe('MongoDB, where everything is kept'),
  MONGODB_TLS_CA: optionalText(
    'A file (PEM) with the certificates to trust, in place of those that Node.js trusts',
  ),
  MONGODB_TLS_CERT: optionalText('A file (PEM) with our certificate, if MongoDB demands one'),
  MONGODB_TLS_KEY: optionalText('A file (PEM) with the key of MONGODB_TLS_CERT'),
  MONGODB_SELECTION_SECONDS: seconds(3600)
    .default(4)
    .describe('Seconds to look for a primary of MongoDB and a connection to it before an operation fails'),
  MONGODB_CONNECTIONS: wholeNumber(1, 10_000)
    .default(100)
    .describe('Connections to MongoDB that one service has at the most'),
};

/** What these settings come to. */
export type MongodbConfiguration = z.output<z.ZodObject<typeof mongodbSettings>>;

/** What those of these settings come to that say where MongoDB is. */
type MongodbAddress = Pick<
  MongodbConfiguration,
  'MONGODB_URI' | 'MONGODB_TLS_CA' | 'MONGODB_TLS_CERT' | 'MONGODB_TLS_KEY'
>;

/**
 * Where MongoDB is, as `#store` takes it; the files of TLS are read. Throws `ConfigurationError` if one can't
 * be, or if the address does not request TLS.
 */
export function mongodbLocation(settings: MongodbAddress): { readonly uri: string; readonly tls?: TlsFiles } {
  const { MONGODB_URI: uri } = settings;
  const tls = readTlsFiles('MONGODB', settings, {
    isRequested: requestsTls(uri),
    how: 'MONGODB_URI requests with ?tls=true',
  });
  return Object.keys(tls).length === 0 ? { uri } : { uri, tls };
}

function requestsTls(uri: string): boolean {
  const said = /[?&](?:tls|ssl)=(true|false)/i.exec(uri)?.[1];
  return said === undefined ? uri.startsWith('mongodb+srv:') : said.toLowerCase() === 'true';
}
