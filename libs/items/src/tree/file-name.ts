const maximumLength = 120;

/** What means something in a URL, a shell or a file system. */
const reserved = /[\p{Cc}\p{Cs}<>:"/\\|?*%#&;]+/gu;

/**
 * A text as the last part of a file's address: never empty, `.` or `..`, at most 120 characters, of which the
 * end is kept.
 */
export function safeFileName(text: string): string {
  const name = text
    .normalize('NFC')
    .replace(reserved, '-')
    .replace(/^[\s.]+|(?<![\s.])[\s.]+$/g, '');
  return Array.from(name).slice(-maximumLength).join('') || 'file';
}

/** The name of the file that an absolute URL names: the last segment of its path, decoded. */
export function fileNameOf(url: string): string {
  const segment = new URL(url).pathname.split('/').at(-1) ?? '';
  try {
    return safeFileName(decodeURIComponent(segment));
  } catch {
    return safeFileName(segment);
  }
}
