import type { RunningLauncher } from '#databases';

/**
 * Returns the launcher (`npm start`) that runs with this data folder; undefined if there is none. An image
 * has neither a launcher nor the module that knows its records.
 */
export async function findLauncher(folder: string): Promise<RunningLauncher | undefined> {
  try {
    const { ProcessRegister } = await import('#databases');
    return ProcessRegister.find(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_MODULE_NOT_FOUND') return undefined;
    throw error;
  }
}
