import { UnavailableError } from '#core';

/**
 * The port with one method that fails as if MongoDB were away, before it has done anything or after it has
 * done all of it.
 */
export function failing<Port extends object>(
  port: Port,
  method: keyof Port,
  moment: 'before' | 'after',
): Port {
  return new Proxy(port, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name, target);
      if (typeof member !== 'function') return member;
      if (name !== method) return member.bind(target);
      return async (...parameters: unknown[]): Promise<never> => {
        if (moment === 'after') await Reflect.apply(member, target, parameters);
        throw new UnavailableError('MongoDB', 'it is away', 'unknown');
      };
    },
  });
}
