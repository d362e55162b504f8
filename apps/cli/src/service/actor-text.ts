import type { ActorView } from '#contracts';

/** Who has changed something, for people: `shop (key 3f7a0c6b9d1e2f48)`. */
export function actorText({ kind, id, name }: ActorView): string {
  if (id === kind) return kind;
  return name === undefined ? `${kind} ${id}` : `${name} (${kind} ${id})`;
}
