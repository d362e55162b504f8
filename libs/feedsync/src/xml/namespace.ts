/** FeedSync 1.1. */
export const syncNamespace = 'http://feedsync.org/2007/feedsync';
