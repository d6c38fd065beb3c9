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
  // In this order a `*`, which takes whatever comes first, takes the fallback.
  const offered = [fallback, ...available.filter((language) => language !== fallback)];
  for (const range of [wanted, acceptLanguage]) {
    const [best] =
      range === undefined ? [] : new Negotiator({ headers: { 'accept-language': range } }).languages(offered);
    if (best !== undefined) return best;
  }
  return fallback;
}
