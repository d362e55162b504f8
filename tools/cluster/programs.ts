import { findProgram, mongodb, readLimits, redis } from '#databases';
import { goProgram } from '#programs';
import type { Say } from '#programs';
import { debianPackages } from './build/debian.ts';
import { coredns, kubernetes } from './build/go-programs.ts';
import { ImageBuilder } from './build/images.ts';

/** Paths of everything that a cluster consists of. */
export interface ControlPlanePrograms {
  /** The folder of the unpacked Debian packages. */
  readonly packages: string;
  /** The folder of Kubernetes' programs. */
  readonly kubernetes: string;
  readonly helm: string;
}

export interface ClusterPrograms extends ControlPlanePrograms {
  readonly coredns: string;
  readonly redis: string;
  readonly mongodb: string;
  /** The archive of the project's image. */
  readonly image: string;
  /** The archive of the image that holds the namespaces of a pod. */
  readonly pause: string;
}

/** Builds what is missing of what an API server needs. */
export async function controlPlanePrograms(say: Say): Promise<ControlPlanePrograms> {
  return {
    packages: await debianPackages(say),
    kubernetes: await kubernetes(say),
    helm: await goProgram('helm', say),
  };
}

/** Builds what is missing of what a cluster with a node needs. */
export async function clusterPrograms(say: Say): Promise<ClusterPrograms> {
  const programs = await controlPlanePrograms(say);
  const surroundings = {
    environment: process.env,
    log: () => {},
    debug: () => {},
    signal: new AbortController().signal,
    downloadLimit: readLimits(process.env).download,
  };
  const images = new ImageBuilder(programs.packages, say);
  return {
    ...programs,
    coredns: await coredns(say),
    redis: await findProgram(redis, surroundings),
    mongodb: await findProgram(mongodb, surroundings),
    pause: await images.pause(),
    image: await images.feedmesh(),
  };
}
