/** The names of protocols, which their own modules and the registry may say and nobody else. */
const names = new Set(['feedsync', 'sse', 'cse']);

/** A rule of lint: what differs between protocols is a hook of theirs, never a comparison of their names. */
const noProtocolNames = {
  meta: { type: 'problem', schema: [] },
  create(context) {
    return {
      Literal(node) {
        if (names.has(node.value))
          context.report({
            node,
            message: `A protocol owns its differences: ask the protocol instead of naming '${node.value}'.`,
          });
      },
    };
  },
};

export default {
  meta: { name: 'boundaries' },
  rules: { 'no-protocol-names': noProtocolNames },
};
