import { defaultXmlLimits } from './strict-parser.ts';
import type { XmlLimits } from './strict-parser.ts';

/** What keeps one feed from using up the machine; every error names the limit that was passed. */
export interface ScanLimits extends XmlLimits {
  /**
   * How deep elements of an outline may nest, the root being 1 (default 1000); each item by itself as `depth`
   * says.
   */
  readonly outlineDepth: number;
  /**
   * How many attributes and namespace declarations one element may have, and how many declarations may be in
   * force around an item (default 256).
   */
  readonly attributes: number;
  /**
   * How long one item, or one child of the head, may be with what stands before it, how much may be held of
   * outlines that have not ended, and how much of those that wait for the `sx:sync` of one around them or for
   * the one after them, each in UTF-16 code units (default 4194304).
   */
  readonly itemLength: number;
  /** How long the namespaces, `xml:base` and `xml:lang` may be together that one item, or one child of the
   * head, uses of what is in force around it, in UTF-16 code units (default 16384). */
  readonly inheritedLength: number;
  /**
   * How long the children of the head, and elements of the dialect beside it, may be together, each with what
   * it inherits, in UTF-16 code units (default 1048576).
   */
  readonly headLength: number;
  /** How many items a feed may have (default 1000000). */
  readonly items: number;
  /** How many csx:link elements one item of a feed of a tree may have (default 5000). */
  readonly itemLinks: number;
}

export const defaultScanLimits: ScanLimits = {
  ...defaultXmlLimits,
  outlineDepth: 1000,
  itemLength: 4_194_304,
  inheritedLength: 16_384,
  headLength: 1_048_576,
  items: 1_000_000,
  itemLinks: 5000,
};
