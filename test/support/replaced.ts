/** A port with one of its methods replaced, to stand for a fault; the rest goes to the port itself. */
export function replaced<Port extends object, Name extends keyof Port>(
  port: Port,
  name: Name,
  method: Port[Name],
): Port {
  return new Proxy(port, {
    get(target, key) {
      if (key === name) return method;
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
