import { defaultXmlLimits } from './strict-parser.ts';
import type { XmlLimits } from './strict-parser.ts';

/** What keeps one feed from using up the machine; every error names the limit that was passed. */
export interface ScanLimits extends XmlLimits {
  /**
   * How long one item, or one child of the head, may be with what stands before it, and how much may be held of outlines that have
   * not ended or wait for the `sx:sync` of one around them, in UTF-16 code units (default 4194304).
   */
  readonly itemLength: number;
  /** How long the children of the head may be together, in UTF-16 code units (default 1048576). */
  readonly headLength: number;
  /** How many items a feed may have (default 1000000). */
  readonly items: number;
}

export const defaultScanLimits: ScanLimits = { ...defaultXmlLimits, itemLength: 4_194_304, headLength: 1_048_576, items: 1_000_000 };
