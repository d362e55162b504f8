import { isNamespaceSpecificString } from '#feedsync';

/** How long an id of ours may be, in characters. */
const maximumIdLength = 512;

/** Why a new item can't have this id; undefined if it can. */
export function idRefusal(id: string): string | undefined {
  if (id.length > maximumIdLength)
    return `An id has at most ${maximumIdLength} characters; this one has ${id.length}.`;
  return isNamespaceSpecificString(id)
    ? undefined
    : `The id "${id}" is not a Namespace Specific String (RFC 2141; FeedSync 2.4, SSE 2.3).`;
}
