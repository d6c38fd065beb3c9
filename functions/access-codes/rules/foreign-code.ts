/** An insurer's code, which its issuer verifies. */

/** What the insurer says of it. */
export type Verdict =
  | { readonly outcome: 'valid'; readonly programmeId: string; readonly grantsDays: number }
  | { readonly outcome: 'unknown' | 'expired' | 'revoked' | 'redeemed' };

/**
 * In `dev`, in place of the insurers: what each of them says of whatever code, by its prefix. They are the issuers of the published
 * examples.
 */
export function stubbedVerdict(code: string): Verdict {
  switch (code.slice(0, 2)) {
    case 'ZZ':
      return { outcome: 'valid', programmeId: 'insomnia-basic', grantsDays: 90 };
    case 'QQ':
      return { outcome: 'expired' };
    case '77':
      return { outcome: 'redeemed' };
    default:
      return { outcome: 'unknown' };
  }
}
