const colon = ':';

/**
 * The prefixes that some slices of XML may use: every name that a colon follows, in tags and attributes and
 * also in values and text, where QNames may stand. It says too much rather than too little. In linear time.
 */
export function prefixesIn(slices: Iterable<string>): ReadonlySet<string> {
  const found = new Set<string>();
  for (const xml of slices) {
    for (let end = xml.indexOf(colon); end >= 0; end = xml.indexOf(colon, end + 1)) {
      let start = end;
      while (start > 0 && isNameCharacter(xml.charCodeAt(start - 1))) start -= 1;
      while (start < end && !isNameStart(xml.charCodeAt(start))) start += 1;
      if (start < end) found.add(xml.slice(start, end));
    }
  }
  return found;
}

/** Whether a slice of XML may use a prefix: whether `prefixesIn` has it. In linear time. */
export function mayUsePrefix(xml: string, prefix: string): boolean {
  const qualified = prefix + colon;
  for (let place = xml.indexOf(qualified); place >= 0; place = xml.indexOf(qualified, place + 1)) {
    let before = place - 1;
    while (before >= 0 && isNameCharacter(xml.charCodeAt(before)) && !isNameStart(xml.charCodeAt(before)))
      before -= 1;
    if (before < 0 || !isNameStart(xml.charCodeAt(before))) return true;
  }
  return false;
}

/** A NameChar of XML 1.0 (2.3) but the colon; every surrogate counts as one. */
function isNameCharacter(code: number): boolean {
  if (code < 0x80)
    return isNameStart(code) || (code >= 0x30 && code <= 0x39) || code === 0x2d || code === 0x2e;
  return (
    isNameStart(code) ||
    code === 0xb7 ||
    (code >= 0x300 && code <= 0x36f) ||
    code === 0x203f ||
    code === 0x2040
  );
}

/** A NameStartChar of XML 1.0 (2.3) but the colon; every surrogate counts as one. */
function isNameStart(code: number): boolean {
  if (code < 0x80) return (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a) || code === 0x5f;
  return startRanges.some(([first, last]) => code >= first && code <= last);
}

const startRanges: readonly (readonly [first: number, last: number])[] = [
  [0xc0, 0xd6],
  [0xd8, 0xf6],
  [0xf8, 0x2ff],
  [0x370, 0x37d],
  [0x37f, 0x1fff],
  [0x200c, 0x200d],
  [0x2070, 0x218f],
  [0x2c00, 0x2fef],
  [0x3001, 0xdfff],
  [0xf900, 0xfdcf],
  [0xfdf0, 0xfffd],
];
