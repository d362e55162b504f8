export { Background } from './inside/background.ts';
export { ControlPlane } from './inside/control-plane.ts';
export { runInNamespaces } from './namespaces.ts';
export type { Place } from './namespaces.ts';
export { clusterPrograms, controlPlanePrograms } from './programs.ts';
