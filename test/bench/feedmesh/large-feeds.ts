/** Settings of services that read feeds of any size. */
export const largeFeeds: Readonly<Record<string, string>> = {
  FETCH_BODY_BYTES: '10000000000',
  FETCH_TOTAL_SECONDS: '86400',
  FEED_ITEMS: '100000000',
};
