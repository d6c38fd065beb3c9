/** Letters, marks, digits and hyphens of any script, and the dots of UTS 46. A URL's host ends at other characters. */
const otherDomain = /^[\p{L}\p{M}\p{N}.\u3002\uff0e\uff61-]+$/u;

/**
 * `anna@müller.example` → `anna@xn--mller-kva.example` (UTS 46). SES and the user pools know domains in ASCII only, so one address
 * has one form everywhere.
 *
 * @returns the text as it is where its domain is in ASCII or is none
 */
export function withAsciiDomain(text: string): string {
  const at = text.lastIndexOf('@');
  const domain = text.slice(at + 1);
  // RFC 1035: 253 characters. The conversion takes the square of a label's length.
  if (at < 0 || domain.length > 253 || !/[^ -~]/.test(domain) || !otherDomain.test(domain)) return text;
  return `${text.slice(0, at + 1)}${URL.parse(`https://${domain}`)?.hostname ?? domain}`;
}
