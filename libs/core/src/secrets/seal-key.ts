import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';

const cipher = 'aes-256-gcm';
const [ivLength, tagLength] = [12, 16];
const mark = 'sealed.';

/** Whether a text is what `sealKey` returns, and no key. */
export function isSealedKey(text: string): boolean {
  return text.startsWith(mark);
}

/**
 * Encrypts the key of a command, for as long as the command is tried.
 * @param binding what the command is: with any other, the key can't be decrypted
 */
export function sealKey(secret: Uint8Array, binding: string, text: string): string {
  const iv = randomBytes(ivLength);
  const encryption = createCipheriv(cipher, encryptionKey(secret), iv).setAAD(Buffer.from(binding));
  const sealed = Buffer.concat([encryption.update(text, 'utf8'), encryption.final()]);
  return mark + Buffer.concat([iv, encryption.getAuthTag(), sealed]).toString('base64url');
}

/**
 * Decrypts it with the secret that it was encrypted with, among others; undefined if that is missing, or it
 * was encrypted for another command.
 */
export function openKey(secrets: readonly Uint8Array[], binding: string, sealed: string): string | undefined {
  const bytes = Buffer.from(sealed.slice(mark.length), 'base64url');
  const [iv, tag] = [bytes.subarray(0, ivLength), bytes.subarray(ivLength, ivLength + tagLength)];
  for (const secret of secrets)
    try {
      const decryption = createDecipheriv(cipher, encryptionKey(secret), iv, { authTagLength: tagLength })
        .setAAD(Buffer.from(binding))
        .setAuthTag(tag);
      const text = [decryption.update(bytes.subarray(ivLength + tagLength)), decryption.final()];
      return Buffer.concat(text).toString('utf8');
    } catch {
      // Another secret, or a text that was changed.
    }
  return undefined;
}

/** The secret serves for digests; encryption has a key of its own. */
function encryptionKey(secret: Uint8Array): Uint8Array {
  return createHmac('sha256', secret).update('the keys of commands').digest();
}
