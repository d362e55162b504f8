import ipaddr from 'ipaddr.js';

export type Address = ipaddr.IPv4 | ipaddr.IPv6;
export type Network = ReturnType<typeof ipaddr.parseCIDR>;

/** A network whose addresses are not public, such as `private`, 10.0.0.0/8. */
export interface SpecialRange {
  readonly name: string;
  /** CIDR. */
  readonly network: string;
}

/** The only block of IPv6 that is handed out for the public internet. */
const globalUnicast = '2000::/3';

/** The range that keeps an address from being public; undefined for a public unicast address. */
export function specialRangeOf(address: Address): SpecialRange | undefined {
  const name = address.range();
  if (name !== 'unicast')
    return { name, network: textOf(networksOf(address, name).find((network) => matches(address, network))) };
  const isPublic = address.kind() === 'ipv4' || matches(address, ipaddr.parseCIDR(globalUnicast));
  return isPublic ? undefined : { name: 'unassigned', network: `outside ${globalUnicast}` };
}

export function matches(address: Address, network: Network): boolean {
  return address.kind() === network[0].kind() && address.match(network);
}

/** The networks that the library knows under a name; its types leave them out. */
function networksOf(address: Address, name: string): readonly Network[] {
  const { SpecialRanges } = address as Address & {
    readonly SpecialRanges: Readonly<Record<string, Network | readonly Network[]>>;
  };
  const networks = SpecialRanges[name] ?? [];
  return isNetwork(networks) ? [networks] : networks;
}

function isNetwork(networks: Network | readonly Network[]): networks is Network {
  return typeof networks[1] === 'number';
}

function textOf(network: Network | undefined): string {
  return network === undefined ? 'unknown' : `${network[0].toString()}/${network[1]}`;
}
