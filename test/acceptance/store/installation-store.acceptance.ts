import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { OpenFixture } from './fixture.ts';

/** What every store keeps of the installation. */
export function describeInstallationStore(name: string, open: OpenFixture): void {
  describe(`The installation in ${name}`, () => {
    let fixture: Awaited<ReturnType<OpenFixture>>;
    beforeAll(async () => {
      fixture = await open();
    });
    afterAll(() => fixture.close());

    test(
      'its identifier is made once, however many request it at the same time, and renewed when it is ' +
        'requested',
      async () => {
        const { installation } = fixture.store;
        const candidates = Array.from({ length: 8 }, (_, index) => `candidate-${index}`);
        const identifiers = new Set(
          await Promise.all(candidates.map((candidate) => installation.identifier(candidate))),
        );
        expect(identifiers.size).toBe(1);
        expect(candidates).toContain([...identifiers][0]);
        expect(identifiers).toContain(await installation.identifier('later'));
        await installation.renew('another');
        expect(await installation.identifier('later')).toBe('another');
      },
    );
  });
}
