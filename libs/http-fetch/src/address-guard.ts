import ipaddr from 'ipaddr.js';
import { FetchError } from '#core';
import { metadataServiceAt, networkOf } from './metadata-service.ts';
import type { MetadataService } from './metadata-service.ts';
import { httpFetchVariables } from './settings.ts';
import { matches, specialRangeOf } from './special-range.ts';
import type { Address, Network } from './special-range.ts';

/**
 * Decides which addresses may be dialled: public unicast ones, and those in the allowed networks. An
 * IPv4-mapped IPv6 address passes only if an allowed network covers it, or the IPv4 address in it. The
 * metadata service of a cloud passes only if its own address, as a /32 or /128, is one of the allowed
 * networks; a wider network does not include it.
 */
export class AddressGuard {
  readonly #allowed: readonly Network[];

  /** Takes CIDRs. Throws `RangeError` for anything else. */
  constructor(allowNetworks: readonly string[]) {
    this.#allowed = allowNetworks.map((text) => {
      if (!ipaddr.isValidCIDR(text))
        throw new RangeError(
          `${httpFetchVariables.allowNetworks}: "${text}" is not a network such as 10.0.0.0/8 or fd00::/8`,
        );
      return ipaddr.parseCIDR(text);
    });
  }

  /** Throws `FetchError` (`address-refused`) unless the IP address that `host` stands for may be dialled. */
  check(address: string, host: string): void {
    if (!ipaddr.isValid(address)) throw refusal(host, `"${address}" is not an IP address`);
    const parsed = ipaddr.parse(address);
    const name = address === host ? 'it' : address;
    const metadata = metadataServiceAt(parsed);
    if (metadata !== undefined && !this.#names(metadata))
      throw refusal(host, `${name} is the metadata service of ${metadata.name}`, metadata);
    const range = specialRangeOf(parsed);
    if (range === undefined || metadata !== undefined || this.#isAllowed(parsed)) return;
    throw refusal(host, `${name} is not a public address (${range.name}, ${range.network})`);
  }

  #isAllowed(address: Address): boolean {
    const plain = ipaddr.process(address.toString());
    return this.#allowed.some((network) => matches(address, network) || matches(plain, network));
  }

  #names(metadata: MetadataService): boolean {
    const [address, bits] = networkOf(metadata);
    return this.#allowed.some((network) => network[1] === bits && matches(address, network));
  }
}

function refusal(host: string, reason: string, metadata?: MetadataService): FetchError {
  const { allowNetworks } = httpFetchVariables;
  const hint =
    metadata === undefined
      ? `${allowNetworks} lists what else may be reached`
      : `${allowNetworks} lets it be reached only by its own network, ${textOf(networkOf(metadata))}`;
  return new FetchError('address-refused', `${host} was not dialled: ${reason}; ${hint}`);
}

function textOf([address, bits]: Network): string {
  return `${address.toString()}/${bits}`;
}
