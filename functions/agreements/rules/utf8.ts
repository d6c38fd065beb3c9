/** Reads UTF-8 without replacing anything: a published text stays for good. Pure. */

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The text, or the first line that is no UTF-8. */
export function utf8Of(bytes: Uint8Array): { readonly text: string } | { readonly text: null; readonly line: number } {
  const text = decoded(bytes);
  if (text !== null) return { text };
  // No byte of a longer character is a line break.
  for (let line = 1, from = 0; ; line += 1) {
    const end = bytes.indexOf(0x0a, from);
    if (end < 0 || decoded(bytes.subarray(from, end)) === null) return { text: null, line };
    from = end + 1;
  }
}

function decoded(bytes: Uint8Array): string | null {
  try {
    return utf8.decode(bytes);
  } catch {
    return null;
  }
}
