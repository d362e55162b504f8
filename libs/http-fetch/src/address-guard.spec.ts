import { describe, expect, test } from '@jest/globals';
import { AddressGuard } from './address-guard.ts';

function allowed(address: string, networks: string[] = []): boolean {
  try {
    new AddressGuard(networks).check(address, 'feeds.example');
    return true;
  } catch (error) {
    expect(error).toMatchObject({ name: 'FetchError', rule: 'address-refused' });
    return false;
  }
}

describe('which addresses may be dialled', () => {
  test.each(['93.184.216.34', '8.8.8.8', '2606:4700:4700::1111', '2a00:1450:4001:800::200e'])('public %s passes', (address) => {
    expect(allowed(address)).toBe(true);
  });

  test.each([
    '127.0.0.1', '127.255.255.254', '0.0.0.0', '10.0.0.1', '172.16.0.1', '192.168.1.1', '100.64.0.1', '169.254.169.254', '192.0.0.8', '192.0.2.1',
    '198.18.0.1', '224.0.0.1', '240.0.0.1', '255.255.255.255',
    '::', '::1', 'fe80::1', 'fe80::1%eth0', 'fc00::1', 'fd00:ec2::254', 'fec0::1', 'ff02::1', '2001:db8::1', '4000::1', '100::1',
    '::ffff:127.0.0.1', '::ffff:7f00:1', '::ffff:8.8.8.8', '::7f00:1', '64:ff9b::7f00:1', '64:ff9b::808:808', '64:ff9b:1::1', '2002:7f00:1::', '2001::1',
    '', 'localhost', '127.1',
  ])('"%s" is refused', (address) => {
    expect(allowed(address)).toBe(false);
  });

  test('an allowed network lets its own addresses through and no others', () => {
    expect(allowed('10.1.2.3', ['10.1.0.0/16'])).toBe(true);
    expect(allowed('10.2.2.3', ['10.1.0.0/16'])).toBe(false);
    expect(allowed('fd00::1', ['10.1.0.0/16', 'fd00::/8'])).toBe(true);
    expect(allowed('64:ff9b::808:808', ['64:ff9b::/96'])).toBe(true);
  });

  test('an IPv4-mapped address is let through by the network of its IPv4 address', () => {
    expect(allowed('::ffff:10.1.2.3', ['10.1.0.0/16'])).toBe(true);
    expect(allowed('::ffff:10.2.2.3', ['10.1.0.0/16'])).toBe(false);
  });

  test('the refusal names the host, the address, its kind and the setting', () => {
    expect(() => new AddressGuard([]).check('169.254.169.254', 'feeds.example'))
      .toThrow('feeds.example was not dialled: 169.254.169.254 is not a public address (linkLocal); FETCH_ALLOW_NETWORKS lists what else may be reached');
  });

  test.each(['10.0.0.0', '10.0.0.0/33', 'office', ''])('"%s" is no network', (text) => {
    expect(() => new AddressGuard([text])).toThrow(new RangeError(`FETCH_ALLOW_NETWORKS: "${text}" is not a network such as 10.0.0.0/8 or fd00::/8`));
  });
});
