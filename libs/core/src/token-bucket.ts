/** How fast a bucket fills, and how much it holds. */
export interface BucketLimits {
  /** Tokens a second. */
  readonly rate: number;
  /** Tokens at the most. */
  readonly burst: number;
}

/** The tokens of a bucket at a time, in milliseconds since 1970; below 0 if some are promised. */
export interface TokenBucket {
  readonly tokens: number;
  readonly at: number;
}

/** A bucket that has rested. */
export function fullBucket({ burst }: Pick<BucketLimits, 'burst'>, now: number): TokenBucket {
  return { tokens: burst, at: now };
}

/** A bucket as it has become by now. */
export function refilledBucket(
  { tokens, at }: TokenBucket,
  { rate, burst }: BucketLimits,
  now: number,
): TokenBucket {
  return { tokens: Math.min(burst, tokens + (Math.max(0, now - at) / 1000) * rate), at: now };
}

/** What comes of asking a bucket for tokens. */
export interface TokenGrant {
  /** Whole tokens; no more than were requested, and 0 only if there is no whole one. */
  readonly granted: number;
  /** Milliseconds until there is a token; 0 if some were granted. */
  readonly wait: number;
}

/**
 * Those who share a bucket get at most a fourth of what is in it at a time, or what comes in within a
 * hundredth of a second: nobody has it all while others have none.
 */
export const grantedPart = 4;
export const grantedPartOfRate = 100;

/** Takes up to so many tokens out of a bucket. */
export function grantTokens(
  former: TokenBucket,
  limits: BucketLimits,
  wanted: number,
  now: number,
): TokenGrant & { readonly bucket: TokenBucket } {
  const bucket = refilledBucket(former, limits, now);
  const whole = Math.floor(bucket.tokens);
  const part = Math.max(Math.ceil(limits.rate / grantedPartOfRate), Math.floor(bucket.tokens / grantedPart));
  const granted = Math.max(0, Math.min(wanted, part, whole));
  const wait = whole >= 1 ? 0 : Math.ceil(((1 - bucket.tokens) / limits.rate) * 1000);
  return { granted, wait, bucket: { ...bucket, tokens: bucket.tokens - granted } };
}
