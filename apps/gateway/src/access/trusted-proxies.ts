import type { IncomingMessage } from 'node:http';
import { BlockList, isIPv6 } from 'node:net';
import { invalidCredentials } from './refusals.ts';

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

  /**
   * Returns the subject that a proxy names with a request; undefined if none does. Throws `ProblemError` 401
   * `invalid-credentials` for a field that anyone else has sent, and one that is there twice: a client may
   * have sent the first one.
   */
  subjectIn({ headers, rawHeaders, socket }: IncomingMessage): string | undefined {
    const subject = headers[this.#header];
    if (subject === undefined) return undefined;
    const count = rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === this.#header).length;
    if (!this.#isTrusted(socket.remoteAddress ?? ''))
      throw invalidCredentials(`Only a proxy of AUTH_PROXIES may send ${this.#header}.`);
    if (count > 1) throw invalidCredentials(`There is more than one ${this.#header}.`);
    return String(subject) === '' ? undefined : String(subject);
  }

  #isTrusted(address: string): boolean {
    const plain = address.replace(/^::ffff:(?=\d+\.)/i, '');
    return this.#networks.check(plain, isIPv6(plain) ? 'ipv6' : 'ipv4');
  }
}
