import { describe, expect, test } from '@jest/globals';
import { readConfiguration } from './configuration.ts';
import { gatewaySettings } from './gateway-settings.ts';
import { listServiceSettings } from './service-setting.ts';

describe('the settings of the services', () => {
  const settings = listServiceSettings();
  const find = (name: string) => settings.find((setting) => setting.name === name);

  test('are listed once each, with the services that read them, the shared ones first', () => {
    expect(new Set(settings.map(({ name }) => name)).size).toBe(settings.length);
    expect(settings[0]).toMatchObject({
      name: 'REDIS_URL',
      services: ['fetcher', 'merger', 'publisher', 'gateway'],
    });
    expect(find('FETCH_REDIRECTS')).toEqual({
      name: 'FETCH_REDIRECTS',
      default: '5',
      description: 'Redirects that one fetch follows',
      services: ['fetcher'],
    });
    expect(find('GATEWAY_BODY_BYTES')).toMatchObject({ services: ['gateway'] });
  });

  test('all say what they are for', () => {
    for (const { description } of settings) expect(description).not.toBe('');
  });

  test('hold for services without an environment', () => {
    expect(readConfiguration(gatewaySettings, {}).FEEDMESH_ENDPOINT).toBeUndefined();
  });

  test.each(['a b', 'a/b', 'ü', 'a%0', 'a%00', 'a#'])(
    'refuse "%s" as the base of endpoint identifiers (RFC 2141, 2.2)',
    (FEEDMESH_ENDPOINT) => {
      expect(() => readConfiguration(gatewaySettings, { FEEDMESH_ENDPOINT })).toThrow(
        /1 setting is wrong:\n {2}FEEDMESH_ENDPOINT must be/,
      );
    },
  );
});
