import { describe, expect, test } from '@jest/globals';
import { readConfiguration, fetcherSettings } from '#service';
import { defaultTreeLimits } from '#cse';
import { defaultScanLimits } from '#xml';
import { httpFetchDefaults, httpFetchVariables } from '#http-fetch';
import { httpLimits, scanLimits, treeSettings } from './fetch-limits.ts';

describe('the limits of a fetch', () => {
  test('are those of the network and of the scan where the environment says nothing', () => {
    const configuration = readConfiguration(fetcherSettings, {});
    expect(httpLimits(configuration)).toEqual(httpFetchDefaults);
    expect(scanLimits(configuration)).toEqual(defaultScanLimits);
    expect(treeSettings(configuration).limits).toEqual(defaultTreeLimits);
  });

  test('are set by the names that errors of the network give', () => {
    const wanted = {
      connectSeconds: 1,
      headersSeconds: 2,
      idleSeconds: 3.5,
      totalSeconds: 4,
      redirects: 0,
      headerBytes: 5000,
      bodyBytes: 6000,
      compressionRatio: 7,
      connectionsPerHost: 8,
      keptHosts: 9,
      allowNetworks: ['10.0.0.0/8', 'fd00::/8'],
      userAgent: 'Tester/1',
      contactUrl: 'https://mesh.example/bot',
    };
    const environment = Object.fromEntries(
      Object.entries(wanted).map(([option, value]) => [
        httpFetchVariables[option as keyof typeof wanted],
        String(value),
      ]),
    );
    expect(httpLimits(readConfiguration(fetcherSettings, environment))).toEqual(wanted);
  });

  test('are set for the scan by FEED_ and their name', () => {
    const environment = {
      FEED_DEPTH: '10',
      FEED_OUTLINE_DEPTH: '12',
      FEED_ATTRIBUTES: '20',
      FEED_ITEM_LENGTH: '3000',
      FEED_INHERITED_LENGTH: '3500',
      FEED_HEAD_LENGTH: '4000',
      FEED_ITEMS: '5',
      FEED_ITEM_LINKS: '6',
    };
    expect(scanLimits(readConfiguration(fetcherSettings, environment))).toEqual({
      depth: 10,
      outlineDepth: 12,
      attributes: 20,
      itemLength: 3000,
      inheritedLength: 3500,
      headLength: 4000,
      items: 5,
      itemLinks: 6,
    });
  });

  test('are set for a tree by TREE_ and their name', () => {
    const environment = {
      TREE_DEPTH: '1',
      TREE_DOCUMENTS: '2',
      TREE_LINKS: '20',
      TREE_BYTES: '3000',
      TREE_BATCH: '4',
      TREE_PARALLEL: '5',
      TREE_PARALLEL_PER_HOST: '6',
      TREE_POLL_MS: '7',
      TREE_RESEND_MS: '8000',
      TREE_PROGRESS_MS: '900',
    };
    expect(treeSettings(readConfiguration(fetcherSettings, environment))).toEqual({
      limits: { depth: 1, documents: 2, links: 20, bytes: 3000 },
      batch: 4,
      parallel: 5,
      parallelPerHost: 6,
      poll: 7,
      resend: 8000,
      progress: 900,
    });
  });
});
