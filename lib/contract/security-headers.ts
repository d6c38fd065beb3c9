/** What every answer tells a browser. An app ignores it; a page that embeds or follows an answer cannot use it. */

/** No answer loads anything, and no page frames one. `default-src` does not cover the last three. https://www.w3.org/TR/CSP3/ */
const contentSecurityPolicy =
  "default-src 'none'; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

export const securityHeaders = {
  // A year, in seconds: RFC 6797 section 6.1.
  'Strict-Transport-Security': 'max-age=31536000; includeSubDomains',
  'Content-Security-Policy': contentSecurityPolicy,
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  // Neither hinders a request by CORS, which any origin may make. https://fetch.spec.whatwg.org/#cross-origin-resource-policy-header
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
} as const;

/** A page has its style and its plots inside, and no script. */
export const pageSecurityPolicy = `${contentSecurityPolicy}; style-src 'unsafe-inline'`;
