/** What a key signs for people outside, and nothing else: the media types of these signatures (RFC 7515 section 4.1.9). */

export const receiptType = 'consent-receipt+jwt';

/** The manifest of a research export. */
export const manifestType = 'research-export+jwt';

export type SignedType = typeof receiptType | typeof manifestType;
