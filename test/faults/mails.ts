import type { Plan } from './case.ts';

/** Faults of mails, as data: behind the answer a mail comes late and is never lost; before it, the request is answered with 503. */

export type MailCase = {
  readonly plan: Plan;
  /** How often the mail may come at most: more than once only where SES took it and nobody could know (decision 45). */
  readonly atMost: number;
};

type Row = Omit<Plan, 'dependency'> & { readonly atMost?: number };

function casesOf(dependency: Plan['dependency'], rows: readonly Row[]): MailCase[] {
  return rows.map(({ atMost = 1, ...plan }) => ({ plan: { dependency, ...plan }, atMost }));
}

/** One attempt at SES is one call of the function; three are at DynamoDB, two at Cognito. */
export const mailCases: readonly MailCase[] = [
  ...casesOf('SES', [
    { kind: 'throttle', times: 2 },
    { kind: 'error', times: 3 },
    { kind: 'garbage', times: 1 },
    { kind: 'hang', times: 1 },
    { kind: 'lose-response', times: 1, atMost: 2 },
  ]),
  ...casesOf('Cognito', [
    { kind: 'throttle', times: 1 },
    { kind: 'error', times: 2 },
    { kind: 'hang', times: 2 },
  ]),
  ...casesOf('DynamoDB', [
    { kind: 'throttle', times: 2, action: 'UpdateItem', carrying: 'mail#' },
    { kind: 'error', times: 3, action: 'UpdateItem', carrying: 'mail#' },
    // The claim is there already when the SDK repeats it.
    { kind: 'lose-response', times: 1, action: 'UpdateItem', carrying: 'mail#' },
    { kind: 'hang', times: 1, action: 'UpdateItem', carrying: 'mail#' },
    // The mail is sent, and cannot be marked as sent.
    { kind: 'error', times: 3, action: 'UpdateItem', carrying: 'sentAt = :now', atMost: 2 },
    { kind: 'error', times: 3, action: 'TransactWriteItems', carrying: 'sent#' },
    { kind: 'conflict', times: 2, action: 'TransactWriteItems', carrying: 'sent#' },
    { kind: 'lose-response', times: 1, action: 'TransactWriteItems', carrying: 'sent#' },
    { kind: 'lose-response', times: 3, action: 'TransactWriteItems', carrying: 'sent#' },
  ]),
];
