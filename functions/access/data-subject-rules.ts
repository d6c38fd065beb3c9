import { Accounts } from '../../lib/contract/accounts.ts';
import type { DataSubjectRules } from '../../lib/contract/declarations.ts';
import { append, batch, get, read, type TableUse } from '../../lib/contract/uses.ts';
import { ConsentRecords, ConsentStates } from './consent-states.ts';
import { AccessLog, CareRelations, consentNeeded, type DataSubject, Staff } from './data-subject.ts';

/** What follows from a route's `dataSubject`, for the stacks and the OpenAPI document; no function has it. */
export const dataSubjectRules: DataSubjectRules = { usesOf, linesOf };

function usesOf(dataSubject: DataSubject): TableUse[] {
  const asked = (): TableUse[] => {
    if (dataSubject.relation !== 'care') return [];
    // Both are read by their keys once more where they differ.
    const consent = [get(ConsentStates), read(ConsentRecords)];
    if (dataSubject.each !== undefined) return [batch(ConsentStates), ...consent, batch(Accounts)];
    return [read(CareRelations), get(Accounts), ...(dataSubject.consent === undefined ? [] : consent)];
  };
  return [read(Staff), append(AccessLog), ...asked()];
}

function linesOf(dataSubject: DataSubject): string[] {
  const isLogged =
    'Each person sees this access in `GET /users/me/access-log`. If the access cannot be logged, the answer is 503.';
  return [`${groundOf(dataSubject)} ${isLogged}`];
}

function groundOf(dataSubject: DataSubject): string {
  switch (dataSubject.relation) {
    case 'safety':
      return `The caller needs the role \`${dataSubject.role}\`.`;
    case 'support':
      return 'Each person opened a ticket.';
    case 'care':
      return dataSubject.each === undefined ? groundOfPerson(dataSubject) : groundOfRows(dataSubject);
    default:
      return `The caller needs no relation to the person (${dataSubject.exception}).`;
  }
}

function groundOfPerson(dataSubject: Extract<DataSubject, { param: string; relation: 'care' }>): string {
  const consent = consentNeeded(dataSubject);
  const needed = consent === null ? '' : `, and agrees to \`${consent}\` (else 403)`;
  const exempt = dataSubject.exempt ? ` Roles that need no relation: ${dataSubject.exempt.roles.join(', ')}.` : '';
  return `The patient is with a site that the caller works at (else 404)${needed}.${exempt}`;
}

function groundOfRows({ consent, withoutConsent }: Extract<DataSubject, { each: string; relation: 'care' }>): string {
  const left = withoutConsent.map((name) => `\`${name}\``).join(', ');
  return (
    `The patients of the caller's sites. Of those who do not agree to \`${consent}\` only ${left} are shown; all else is ` +
    'null.'
  );
}
