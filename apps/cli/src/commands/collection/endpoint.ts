import type { RenewedCollectionView } from '#contracts';
import { exitCode } from '../../command-error.ts';
import type { ExitCode } from '../../command-error.ts';
import type { Io } from '../../io.ts';
import { collectionText } from '../../service/collection-text.ts';
import { collectionPath, Service } from '../../service/service.ts';
import type { ServiceOptions } from '../../service/service.ts';
import { printResult } from '../../terminal/print-result.ts';
import { count } from '../../terminal/text.ts';

interface EndpointArguments extends ServiceOptions {
  readonly collection: string;
  /** The new identifier; a random one if it is absent. */
  readonly endpoint?: string;
  readonly output: 'text' | 'json';
}

/**
 * Gives a collection another endpoint identifier and shows it; `violations` (1) if items that had been
 * refused because of the former one still are. Throws as `Service` does.
 */
export async function renewEndpoint(
  { collection, endpoint, output, ...options }: EndpointArguments,
  io: Io,
): Promise<ExitCode> {
  const renewed = await new Service(options, io).json<RenewedCollectionView>(
    collectionPath(collection, 'endpoint'),
    {
      method: 'POST',
      body: { ...(endpoint !== undefined && { endpoint }) },
    },
  );
  const { merged, left } = renewed.deadLetters;
  const deadLetters = `dead letters: ${count(merged, 'item')} merged, ${left} left`;
  await printResult(renewed, `${collectionText(renewed, io)}  ${deadLetters}\n`, output, io);
  return left > 0 ? exitCode.violations : exitCode.done;
}
