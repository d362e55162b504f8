import ipaddr from 'ipaddr.js';
import { matches } from './special-range.ts';
import type { Address, Network } from './special-range.ts';

/**
 * An address at which a cloud gives its machines their credentials and settings. Some look public, others lie
 * in networks that an operator may well allow, so each is refused by itself.
 */
export interface MetadataService {
  readonly name: string;
  readonly address: Address;
}

/**
 * The IPv6 networks whose addresses have an IPv4 address in them, and its first byte there: mapped, NAT64,
 * 6to4.
 */
const embeddings: readonly (readonly [network: Network, offset: number])[] = [
  [ipaddr.parseCIDR('::ffff:0:0/96'), 12],
  [ipaddr.parseCIDR('64:ff9b::/96'), 12],
  [ipaddr.parseCIDR('2002::/16'), 2],
];

const services: readonly MetadataService[] = (
  [
    ['169.254.169.254', 'AWS, Azure, Google Cloud, Oracle Cloud, OpenStack, DigitalOcean and others'],
    ['169.254.170.2', 'AWS (containers)'],
    ['169.254.170.23', 'AWS (EKS)'],
    ['fd00:ec2::254', 'AWS'],
    ['fd00:ec2::23', 'AWS (EKS)'],
    ['fd20:ce::254', 'Google Cloud'],
    ['168.63.129.16', 'Azure'],
    ['100.100.100.200', 'Alibaba Cloud'],
    ['192.0.0.192', 'Oracle Cloud'],
    ['169.254.42.42', 'Scaleway'],
    ['fd00:42::42', 'Scaleway'],
    ['169.254.0.23', 'Tencent Cloud'],
  ] as const
).map(([address, name]) => ({ name, address: ipaddr.parse(address) }));

/** The metadata service at an address, or at the IPv4 address in it; undefined if there is none. */
export function metadataServiceAt(address: Address): MetadataService | undefined {
  const meant = [
    address,
    ...embeddings.flatMap(([network, offset]) =>
      matches(address, network)
        ? [ipaddr.fromByteArray(address.toByteArray().slice(offset, offset + 4))]
        : [],
    ),
  ];
  return services.find((service) => meant.some((one) => matches(one, networkOf(service))));
}

/** The network of a metadata service alone. */
export function networkOf({ address }: MetadataService): Network {
  return [address, address.kind() === 'ipv4' ? 32 : 128];
}
