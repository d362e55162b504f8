import ipaddr from 'ipaddr.js';
import { FetchError } from '#ports';
import { httpFetchVariables } from './settings.ts';

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Network = ReturnType<typeof ipaddr.parseCIDR>;

/** The only block of IPv6 that is handed out for the public internet. */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Decides which addresses may be dialled: public unicast ones, and those in the allowed networks. An IPv4-mapped IPv6
 * address passes only where an allowed network covers it, or the IPv4 address in it.
 */
export class AddressGuard {
  readonly #allowed: readonly Network[];

  /** Takes CIDRs. Throws `RangeError` for anything else. */
  constructor(allowNetworks: readonly string[]) {
    this.#allowed = allowNetworks.map((text) => {
      if (!ipaddr.isValidCIDR(text)) throw new RangeError(`${httpFetchVariables.allowNetworks}: "${text}" is not a network such as 10.0.0.0/8 or fd00::/8`);
      return ipaddr.parseCIDR(text);
    });
  }

  /** Throws `FetchError` (`address-refused`) unless the IP address that `host` stands for may be dialled. */
  check(address: string, host: string): void {
    if (!ipaddr.isValid(address)) throw this.#refusal(host, `"${address}" is not an IP address`);
    const parsed = ipaddr.parse(address);
    if (isPublic(parsed) || this.#isAllowed(parsed)) return;
    throw this.#refusal(host, `${address === host ? 'it' : address} is not a public address (${parsed.range()})`);
  }

  #isAllowed(address: Address): boolean {
    const plain = ipaddr.process(address.toString());
    return this.#allowed.some((network) => matches(address, network) || matches(plain, network));
  }

  #refusal(host: string, reason: string): FetchError {
    return new FetchError('address-refused', `${host} was not dialled: ${reason}; ${httpFetchVariables.allowNetworks} lists what else may be reached`);
  }
}

function isPublic(address: Address): boolean {
  return address.range() === 'unicast' && (address.kind() === 'ipv4' || matches(address, globalUnicast));
}

function matches(address: Address, network: Network): boolean {
  return address.kind() === network[0].kind() && address.match(network);
}
