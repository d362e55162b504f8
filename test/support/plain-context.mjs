import vm from 'node:vm';
import { TestEnvironment } from 'jest-environment-node';

/**
 * Jest's environment for Node, with a global object of its own like any other. By default every global name
 * that a test or a library reads goes through interceptors and a proxy, which makes what computes a lot take
 * a fifth longer.
 */
export default class PlainContext extends TestEnvironment {
  constructor(...parameters) {
    const { createContext } = vm;
    vm.createContext = () => createContext(vm.constants.DONT_CONTEXTIFY);
    try {
      super(...parameters);
    } finally {
      vm.createContext = createContext;
    }
  }
}
