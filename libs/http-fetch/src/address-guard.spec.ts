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
  test.each(['93.184.216.34', '8.8.8.8', '2606:4700:4700::1111', '2a00:1450:4001:800::200e'])(
    'public %s passes',
    (address) => {
      expect(allowed(address)).toBe(true);
    },
  );

  test.each([
    '127.0.0.1',
    '127.255.255.254',
    '0.0.0.0',
    '10.0.0.1',
    '172.16.0.1',
    '192.168.1.1',
    '100.64.0.1',
    '169.254.169.254',
    '192.0.0.8',
    '192.0.2.1',
    '198.18.0.1',
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    'fe80::1',
    'fe80::1%eth0',
    'fc00::1',
    'fd00:ec2::254',
    'fec0::1',
    'ff02::1',
    '2001:db8::1',
    '4000::1',
    '100::1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '::ffff:8.8.8.8',
    '::7f00:1',
    '64:ff9b::7f00:1',
    '64:ff9b::808:808',
    '64:ff9b:1::1',
    '2002:7f00:1::',
    '2001::1',
    '',
    'localhost',
    '127.1',
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

  test.each([
    ['169.254.7.7', 'linkLocal, 169.254.0.0/16'],
    ['172.20.0.1', 'private, 172.16.0.0/12'],
    ['100.64.0.1', 'carrierGradeNat, 100.64.0.0/10'],
    ['fd12::1', 'uniqueLocal, fc00::/7'],
    ['::1', 'loopback, ::1/128'],
    ['4000::1', 'unassigned, outside 2000::/3'],
  ])('the refusal of %s names the host, the address, its range and the setting', (address, range) => {
    expect(() => new AddressGuard([]).check(address, 'feeds.example')).toThrow(
      `feeds.example was not dialled: ${address} is not a public address (${range}); ` +
        'FETCH_ALLOW_NETWORKS lists what else may be reached',
    );
  });

  test.each(['10.0.0.0', '10.0.0.0/33', 'office', ''])('"%s" is no network', (text) => {
    expect(() => new AddressGuard([text])).toThrow(
      new RangeError(`FETCH_ALLOW_NETWORKS: "${text}" is not a network such as 10.0.0.0/8 or fd00::/8`),
    );
  });
});

describe('metadata services', () => {
  test.each([
    ['168.63.129.16', 'Azure', '168.63.129.16/32'],
    ['100.100.100.200', 'Alibaba Cloud', '100.100.100.200/32'],
    ['169.254.169.254', 'AWS, Azure', '169.254.169.254/32'],
    ['fd00:ec2::254', 'AWS', 'fd00:ec2::254/128'],
    ['::ffff:168.63.129.16', 'Azure', '168.63.129.16/32'],
    ['64:ff9b::a83f:8110', 'Azure', '168.63.129.16/32'],
    ['2002:a9fe:a9fe::', 'AWS, Azure', '169.254.169.254/32'],
  ])('%s is refused as that of %s', (address, name, network) => {
    const refusal = new RegExp(
      `^metadata\\.example was not dialled: ${address} is the metadata service of ${name}.*; ` +
        `FETCH_ALLOW_NETWORKS lets it be reached only by its own network, ${network}$`,
    );
    expect(() => new AddressGuard([]).check(address, 'metadata.example')).toThrow(refusal);
  });

  test.each([
    ['168.63.129.16', '168.63.129.16/32', ['0.0.0.0/0', '168.63.129.0/24', '168.63.129.17/32']],
    ['100.100.100.200', '100.100.100.200/32', ['100.64.0.0/10']],
    ['169.254.169.254', '169.254.169.254/32', ['169.254.0.0/16', '169.254.169.254/31']],
    ['fd00:ec2::254', 'fd00:ec2::254/128', ['fc00::/7', '::/0']],
    ['64:ff9b::a9fe:a9fe', '169.254.169.254/32', ['64:ff9b::/96']],
  ])('%s is let through by %s, and not by a wider network', (address, own, wider) => {
    expect(allowed(address, wider)).toBe(false);
    expect(allowed(address, [own])).toBe(true);
  });

  test('the addresses beside it are as their network is', () => {
    expect(allowed('168.63.129.17')).toBe(true);
    expect(allowed('100.100.100.201', ['100.64.0.0/10'])).toBe(true);
  });
});
