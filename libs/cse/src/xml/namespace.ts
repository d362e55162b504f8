/** Content Sync Extensions. */
export const cseNamespace = 'http://schemas.microsoft.com/rss/2007/contentsyncextensions';
