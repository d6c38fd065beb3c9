/** What `VALIDATION_FAILED` says of each thing that does not fit. */

/** A client may branch on these, whose meanings stand in the error's guide; more may come. */
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
  /** `a.b[0]`; empty for the whole. */
  path: string;
  code: IssueCode;
  message: string;
};

/** What a `z.refine` of ours says; without it the code is `invalid_value`. */
export function issue(code: IssueCode, error: string, path?: string[]) {
  return { error, params: { code }, ...(path && { path }) };
}
