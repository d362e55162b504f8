/** A fault that the simulation made: the process died there. */
export class CrashError extends Error {
  override readonly name = 'CrashError';
}

/**
 * The same port, in which any call may fail: before it has done anything, or after it has done all of it and nobody heard.
 * @param dies asked twice for each call
 */
export function faulty<Port extends object>(port: Port, dies: () => boolean): Port {
  return new Proxy(port, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name, target);
      if (typeof member === 'object' && member !== null) return faulty(member, dies);
      if (typeof member !== 'function') return member;
      return (...parameters: unknown[]): unknown => {
        if (dies()) throw new CrashError(`before ${String(name)}`);
        const answer: unknown = Reflect.apply(member, target, parameters);
        if (!(answer instanceof Promise)) return answer;
        return answer.then((value: unknown) => {
          if (dies()) throw new CrashError(`after ${String(name)}`);
          return value;
        });
      };
    },
  });
}
