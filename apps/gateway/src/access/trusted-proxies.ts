import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { BlockList, isIP, isIPv6 } from 'node:net';
import { invalidCredentials } from './refusals.ts';

/**
 * The fields in which proxies say whether they have verified a certificate, such as `ssl-client-verify`
 * (nginx), `X-SSL-Client-Verify` and `SSL_CLIENT_VERIFY` (Apache).
 */
const verificationField =
  /(?:^|[-_])client[-_]?(?:cert[-_]?)?verif(?:y|ied|ication)(?:[-_](?:result|status))?$/;
/** What they say there of one that they have: nginx and Apache, and HAProxy (the result of OpenSSL). */
const verified: ReadonlySet<unknown> = new Set(['SUCCESS', '0']);

/** The proxies in front of the gateway that check client certificates and name their subjects. */
export class TrustedProxies {
  readonly #networks = new BlockList();
  readonly #header: string;

  /**
   * @param networks in CIDR notation
   * @param header the name of the field, in lower case
   */
  constructor(networks: readonly string[], header: string) {
    this.#header = header;
    for (const network of networks) {
      const [address = '', length] = network.split('/');
      this.#networks.addSubnet(address, Number(length), isIPv6(address) ? 'ipv6' : 'ipv4');
    }
  }

  /** Whether a request names no subject, rightly or wrongly: `subjectIn` returns undefined. */
  isWithoutSubject(request: IncomingMessage): boolean {
    if (request.headers[this.#header] === undefined) return true;
    try {
      return this.subjectIn(request) === undefined;
    } catch {
      return false;
    }
  }

  /**
   * Returns the subject that a proxy names with a request; undefined if none does. Throws `ProblemError` 401
   * `invalid-credentials` for a field that anyone else has sent, one that is there twice (a client may have
   * sent the first one), and the subject of a certificate that the proxy has not verified, unless the request
   * has a key.
   */
  subjectIn({ headers, rawHeaders, socket }: IncomingMessage): string | undefined {
    const subject = headers[this.#header];
    if (subject === undefined) return undefined;
    const count = rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === this.#header).length;
    if (!this.#isTrusted(socket.remoteAddress ?? ''))
      throw invalidCredentials(`Only a proxy of AUTH_PROXIES may send ${this.#header}.`);
    if (count > 1) throw invalidCredentials(`There is more than one ${this.#header}.`);
    if (String(subject) === '') return undefined;
    const fault = headers.authorization === undefined ? unverifiedField(headers) : undefined;
    if (fault !== undefined)
      throw invalidCredentials(`The proxy has not verified the client certificate (${fault}).`);
    return String(subject);
  }

  /**
   * Returns the IP address that a request comes from: the last one of `X-Forwarded-For` that is none of the
   * proxies', as far as proxies have written it; undefined if the connection is closed.
   */
  addressOf({ headers, socket }: IncomingMessage): string | undefined {
    let address = plainAddress(socket.remoteAddress ?? '');
    const hops = String(headers['x-forwarded-for'] ?? '').split(',');
    while (isIP(address) !== 0 && this.#isTrusted(address)) {
      const hop = plainAddress(hops.pop()?.trim() ?? '');
      if (isIP(hop) === 0) break;
      address = hop;
    }
    return isIP(address) === 0 ? undefined : address;
  }

  #isTrusted(address: string): boolean {
    const plain = plainAddress(address);
    return this.#networks.check(plain, isIPv6(plain) ? 'ipv6' : 'ipv4');
  }
}

/** An address of IPv4 that is written as one of IPv6, as that of IPv4. */
function plainAddress(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, '');
}

/** The field in which a proxy says that it has not verified a certificate; undefined if there is none. */
function unverifiedField(headers: IncomingHttpHeaders): string | undefined {
  return Object.keys(headers).find((name) => verificationField.test(name) && !verified.has(headers[name]));
}
