import Negotiator from 'negotiator';

/**
 * The best of the available languages for a reader.
 *
 * @param wanted a BCP 47 tag that the reader asked for by name, preferred over the header
 * @param acceptLanguage the header as it was sent (RFC 9110); invalid parts are ignored
 * @returns one of `available`; `fallback` if none fits
 */
export function chooseLanguage(
  available: readonly string[],
  fallback: string,
  wanted: string | undefined,
  acceptLanguage: string | undefined,
): string {
  const accepted = new Negotiator({ headers: { 'accept-language': acceptLanguage } }).languages();
  for (const range of wanted === undefined ? accepted : [wanted, ...accepted]) {
    if (range === '*') return fallback;
    const found = lookUp(available, range);
    if (found !== undefined) return found;
  }
  return fallback;
}

/** The language that a reader prefers by the header; null if the header names none. */
export function preferredLanguage(acceptLanguage: string | undefined): string | null {
  const [first] = new Negotiator({ headers: { 'accept-language': acceptLanguage ?? '' } }).languages();
  return first === undefined || first === '*' ? null : first;
}

/**
 * RFC 4647 section 3.4: a range that is not available loses its last part until one fits (`zh-Hans-CN`, `zh-Hans`, `zh`).
 * If not even the bare language is available, one of its regions is better than another language.
 */
function lookUp(available: readonly string[], range: string): string | undefined {
  const parts = range.toLowerCase().split('-');
  for (let length = parts.length; length > 0; length -= 1) {
    const tag = parts.slice(0, length).join('-');
    const found = available.find((language) => language.toLowerCase() === tag);
    if (found !== undefined) return found;
  }
  return available.find((language) => language.toLowerCase().split('-')[0] === range.toLowerCase());
}
