import { accessKeyIdOf, digestAccessKey, isSameSecret, LatestEntries, parseAccessKey } from '#core';
import type { AccessKey, AccessKeyStore, Clock } from '#core';
import { accessAge } from './access-age.ts';
import type { Principal } from './principal.ts';

/** How many keys are remembered, those that were looked up last. */
const rememberedKeys = 10_000;

/** What the store said of a key, which may be that there is none. */
interface Remembered {
  readonly key: AccessKey | undefined;
  /** Milliseconds since 1970. */
  readonly readAt: number;
}

/** Recognises the keys that were issued, by what the store said of them within the last moments. */
export class IssuedKeys {
  readonly #store: AccessKeyStore;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #secrets: readonly Uint8Array[];
  readonly #remembered = new LatestEntries<string, Remembered>(rememberedKeys);
  readonly #used = new Set<string>();
  #wanted = new Set<string>();
  #reading: Promise<void> | undefined;

  /** @param secrets those of the installation: what was issued under any of them is accepted */
  constructor(store: AccessKeyStore, clock: Pick<Clock, 'now'>, secrets: readonly Uint8Array[]) {
    this.#store = store;
    this.#clock = clock;
    this.#secrets = secrets;
  }

  /**
   * Returns whose key a text is; undefined if it is none that is accepted now. Throws what the store throws.
   */
  async recognize(text: string): Promise<Principal | undefined> {
    const parsed = parseAccessKey(text);
    if (parsed === undefined || this.#secrets.length === 0) return undefined;
    const digests = this.#secrets.map((secret) => digestAccessKey(secret, text));
    return this.#recognized('key', parsed.id, (key) => this.#hasSecret(key, digests));
  }

  /** Returns whose key a text is if that is known without the store, and accepted now; else undefined. */
  recall(text: string): Principal | undefined {
    const parsed = parseAccessKey(text);
    if (parsed === undefined || !this.#isFresh(parsed.id)) return undefined;
    const digests = this.#secrets.map((secret) => digestAccessKey(secret, text));
    return this.#known('key', parsed.id, (key) => this.#hasSecret(key, digests));
  }

  /**
   * Returns whose certificate has this subject; undefined if it stands for no key that is accepted now.
   * Throws what the store throws.
   */
  recognizeSubject(subject: string): Promise<Principal | undefined> {
    return this.#recognized('certificate', accessKeyIdOf(subject), (key) => key.subject === subject);
  }

  /** Reads what the store says of these keys now; requests at the same time are one. */
  async refresh(ids: readonly string[]): Promise<void> {
    for (const id of ids) this.#wanted.add(id);
    // What is wanted while a reading is in progress is read after it.
    while (ids.some((id) => this.#wanted.has(id))) await (this.#reading ??= this.#read());
    await this.#reading;
  }

  /** The keys that were used since this was called last. */
  takeUsed(): string[] {
    const used = [...this.#used];
    this.#used.clear();
    return used;
  }

  async #read(): Promise<void> {
    // Those that come in the same moment are read together.
    await new Promise((resolve) => setImmediate(resolve));
    const ids = [...this.#wanted];
    this.#wanted = new Set();
    try {
      const readAt = this.#clock.now().getTime();
      const found = new Map((await this.#store.find(ids)).map((key) => [key.id, key]));
      for (const id of ids) this.#remembered.set(id, { key: found.get(id), readAt });
    } finally {
      this.#reading = undefined;
    }
  }

  #isFresh(id: string): boolean {
    const remembered = this.#remembered.get(id);
    if (remembered === undefined) return false;
    const age = this.#clock.now().getTime() - remembered.readAt;
    return age >= 0 && age < accessAge;
  }

  /** Returns whose key this is if what was shown for it is accepted, now and whenever that is asked again. */
  async #recognized(
    kind: Principal['kind'],
    id: string,
    isShown: (key: AccessKey) => boolean,
  ): Promise<Principal | undefined> {
    if (!this.#isFresh(id)) await this.refresh([id]);
    return this.#known(kind, id, isShown);
  }

  /** As `#recognized`, by what is remembered. */
  #known(kind: Principal['kind'], id: string, isShown: (key: AccessKey) => boolean): Principal | undefined {
    const isValid = (): boolean => {
      const key = this.#remembered.get(id)?.key;
      return key !== undefined && !this.#hasExpired(key) && isShown(key);
    };
    const key = this.#remembered.get(id)?.key;
    if (key === undefined || !isValid()) return undefined;
    this.#used.add(id);
    const { name, grants, subject, expiresAt } = key;
    return {
      kind,
      id,
      name,
      grants,
      isValid,
      ...(subject !== undefined && { subject }),
      ...(expiresAt && { expiresAt }),
    };
  }

  #hasExpired({ expiresAt }: AccessKey): boolean {
    return expiresAt !== undefined && expiresAt <= this.#clock.now();
  }

  #hasSecret({ secrets }: AccessKey, digests: readonly string[]): boolean {
    const now = this.#clock.now();
    return secrets.some(
      ({ digest, until }) =>
        (until === undefined || until > now) && digests.some((own) => isSameSecret(own, digest)),
    );
  }
}
