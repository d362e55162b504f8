import { createHmac, timingSafeEqual } from 'node:crypto';

/** The methods that a hub may sign with (WebSub, 7.1.1). */
const signature = /^(sha1|sha256|sha384|sha512)=([0-9a-f]+)$/i;

/** Compares the signature of a body with the one that came with it. */
export interface SignatureCheck {
  update(bytes: Uint8Array): void;
  /** Whether they are the same, in a time that does not tell how much of it is. */
  isRight(): boolean;
}

/**
 * Begins to check the signature of a body (`X-Hub-Signature`; WebSub, 7.1).
 * @returns undefined for a header field that is none
 */
export function checkSignature(field: string | undefined, secret: string): SignatureCheck | undefined {
  const [, method = '', digits = ''] = signature.exec(field ?? '') ?? [];
  if (method === '') return undefined;
  const hmac = createHmac(method.toLowerCase(), secret);
  const given = Buffer.from(digits, 'hex');
  return {
    update: (bytes) => void hmac.update(bytes),
    isRight() {
      const expected = hmac.digest();
      return digits.length === expected.length * 2 && timingSafeEqual(given, expected);
    },
  };
}
