/** Settings of services that fetch from this machine as fast as they can, and log only what is wrong. */
export const loopbackFeeds = {
  FETCH_ALLOW_NETWORKS: '127.0.0.0/8',
  FETCH_HOST_RATE: '1000000',
  FETCH_HOST_BURST: '1000000',
  FETCH_HOST_CONNECTIONS: '1000',
  LOG_LEVEL: 'warn',
};
