import { ServiceProblemError } from './service-error.ts';
import type { Service } from './service.ts';

/** What is at a path; undefined if the service says that nothing is. Throws as `Service` does. */
export async function findAnswer<T>(service: Service, path: string): Promise<T | undefined> {
  try {
    return await service.json<T>(path);
  } catch (error) {
    if (error instanceof ServiceProblemError && error.status === 404) return undefined;
    throw error;
  }
}
