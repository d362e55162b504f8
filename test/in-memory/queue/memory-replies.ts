import type { Replies } from '#core';

/** Replies in memory; nothing waits for one that has not been sent. */
export function createMemoryReplies(): Replies {
  const sent = new Map<string, string>();
  return {
    async send(name, reply) {
      sent.set(name, JSON.stringify(reply));
    },
    async wait(name) {
      const reply = sent.get(name);
      sent.delete(name);
      return reply === undefined ? undefined : (JSON.parse(reply) as unknown);
    },
  };
}
