import Negotiator from 'negotiator';

/**
 * The best of the available languages for a reader.
 *
 * @param wanted a BCP 47 tag that the reader asked for by name, preferred over the header
 * @param acceptLanguage the header as it came (RFC 9110); garbage in it counts as nothing
 * @returns one of `available`, `fallback` where nothing fits
 */
export function chooseLanguage(
  available: readonly string[],
  fallback: string,
  wanted: string | undefined,
  acceptLanguage: string | undefined,
): string {
  const ranges = [wanted, acceptLanguage].filter((range) => range !== undefined);
  for (const range of ranges) {
    const [best] = new Negotiator({ headers: { 'accept-language': range } }).languages([...available]);
    // A bare `*` takes whatever comes first; the fallback is the better first.
    if (best !== undefined && range.trim() !== '*') return best;
  }
  return fallback;
}
