/** The entries of `VALIDATION_FAILED`: one for each invalid value. */

/** Clients may branch on these codes. The error's guide explains them; more may come. */
export const issueCodes = [
  'required',
  'invalid_type',
  'invalid_format',
  'invalid_value',
  'too_short',
  'too_long',
  'too_small',
  'too_big',
  'repeated',
  'inconsistent',
] as const;

export type IssueCode = (typeof issueCodes)[number];

export const issuePlaces = ['path', 'query', 'body', 'header'] as const;

export type Issue = {
  in: (typeof issuePlaces)[number];
  /** `a.b[0]`; empty for the whole input. */
  path: string;
  code: IssueCode;
  message: string;
};

/** The code of our own `z.refine`; without it the code is `invalid_value`. */
export function issue(code: IssueCode, error: string, path?: string[]) {
  return { error, params: { code }, ...(path && { path }) };
}
