/** Limits of one fetch unless settings override them; `HttpFetchSettings` describes each. */
export const fetchLimits = {
  connectSeconds: 10,
  headersSeconds: 30,
  idleSeconds: 30,
  totalSeconds: 600,
  redirects: 5,
  headerBytes: 16 * 1024,
  bodyBytes: 256 * 1024 * 1024,
  compressionRatio: 100,
  connectionsPerHost: 4,
  keptHosts: 256,
  allowNetworks: [] as readonly string[],
} as const;
