/**
 * A rule of lint: what differs between protocols is a hook of theirs, never a comparison of their names. Its
 * option is the list of the names, which their own modules and the registry may say and nobody else.
 */
const noProtocolNames = {
  meta: { type: 'problem', schema: [{ type: 'array', items: { type: 'string' } }] },
  create(context) {
    const names = new Set(context.options[0]);
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
