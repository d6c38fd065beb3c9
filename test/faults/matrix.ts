import { type FaultCase, nameOf, type Plan } from './case.ts';
import type { RouteName } from './routes.ts';

/** The matrix: which fault on which routes comes to which answer (docs/conventions.md). */

const forEver = Number.POSITIVE_INFINITY;

const consentWrites = ['agree', 'agree-to-versions', 'revoke-consent'] as const;
/** Whose commits are failed by themselves. */
const commits = [...consentWrites, 'redeem-access-code'] as const;
/** Decided anew on what is there, and the same again where the answer was lost. */
const repeated = [
  'revoke-access-code',
  'revoke-access-code-batch',
  'release-own-sleep-window',
  'join-study',
  'leave-study',
] as const;
/** Sent under a key, so that whoever got no answer asks again, and it is there once. */
const keyed = ['open-ticket', 'add-own-ticket-comment', 'add-ticket-comment', 'request-research-export'] as const;
const writes = [
  ...commits,
  ...keyed,
  ...repeated,
  'mark-message-read',
  'mark-messages-read',
  'delete-message',
  'post-message',
  'put-group-member',
  'remove-group-member',
  'post-group-message',
  'register-device',
  'update-profile',
  'restore-account',
  'join-site',
  'leave-site',
  'choose-main-site',
  'update-site',
  'delete-site',
  'update-crm-user',
  'request-export',
  'put-sleep-entry',
  'post-sleep-episodes',
  'put-questionnaire-response',
  'complete-questionnaire-response',
  'put-unit-progress',
  'complete-unit',
  'change-ticket',
  'transition-ticket',
  'acknowledge-urgent-ticket',
  'acknowledge-urgent-ticket-of-patient',
  'replace-study',
] as const;
const reads = [
  'list-agreements',
  'list-consent-records',
  'read-own-consent-state',
  'read-receipt',
  'validate-access-code',
  'list-entitlements',
  'read-profile',
  'list-devices',
  'list-own-sign-ins',
  'list-sign-ins-of-user',
  'list-messages',
  'read-own-erasure',
  'read-message',
  'list-own-sites',
  'list-group-messages',
  'list-patients',
  'read-patient',
  'read-patient-timeline',
  'list-sites',
  'list-crm-users',
  'read-crm-user',
  'list-access-log',
  'list-exports',
  'read-export',
  'search-own-fhir',
  'read-sleep-summary',
  'read-sleep-window',
  'list-questionnaire-responses',
  'list-questionnaire-scores',
  'list-patient-responses',
  'list-courses',
  'read-course',
  'read-unit',
  'list-learning-progress',
  'read-programme',
  'list-own-tickets',
  'read-own-ticket',
  'list-own-ticket-comments',
  'list-tickets',
  'read-ticket',
  'list-ticket-comments',
  'list-urgent-tickets',
  'list-urgent-tickets-of-sites',
  'list-own-studies',
  'look-up-study',
  'count-participants',
  'list-research-exports',
  'read-research-export',
  'list-research-notices',
] as const;
/** At other people's data, and addresses of it. */
const looks = [
  'list-sign-ins-of-user',
  'list-patients',
  'read-patient',
  'read-patient-timeline',
  'list-patient-responses',
  'list-tickets',
  'list-urgent-tickets',
  'list-urgent-tickets-of-sites',
  'read-research-export',
] as const;
const all = [...writes, ...reads] as const;
/** They send a message to a queue. */
const queued = ['request-export', 'request-research-export', 'restore-account'] as const;
/** They read the catalogue at each call. */
const ofCatalogue = [...consentWrites, 'list-consent-records', 'read-own-consent-state', 'read-receipt'] as const;

type Row = Omit<Plan, 'dependency'> & { readonly routes: readonly RouteName[]; readonly code: string | null };

function casesOf(dependency: Plan['dependency'], rows: readonly Row[]): FaultCase[] {
  return rows.flatMap(({ routes, code, ...rest }) =>
    routes.map((route) => {
      const plan = { dependency, ...rest };
      return { name: `${route} · ${nameOf(plan)}`, plan, route, code };
    }),
  );
}

/** Faults that only the calls for one user meet, so that users can meet theirs at once. */
export const ownFaults: readonly FaultCase[] = [
  ...casesOf('DynamoDB', [
    { kind: 'throttle', times: 2, routes: all, code: null },
    { kind: 'error', times: 2, routes: all, code: null },
    { kind: 'lose-response', times: 1, routes: all, code: null },
    { kind: 'throttle', times: forEver, routes: all, code: 'UNAVAILABLE' },
    { kind: 'error', times: forEver, routes: all, code: 'UNAVAILABLE' },
    { kind: 'garbage', times: forEver, routes: all, code: 'UNAVAILABLE' },
    { kind: 'lose-response', times: forEver, routes: all, code: 'UNAVAILABLE' },
    { kind: 'garble-response', times: forEver, routes: all, code: 'UNAVAILABLE' },
    // The commit itself: its answer lost once is the SDK's to repeat, three times the ledger's to tell.
    { kind: 'lose-response', times: 3, action: 'TransactWriteItems', routes: commits, code: null },
    { kind: 'garble-response', times: 1, action: 'TransactWriteItems', routes: commits, code: null },
    { kind: 'conflict', times: 3, action: 'TransactWriteItems', routes: commits, code: null },
    { kind: 'throttle', times: 3, action: 'TransactWriteItems', routes: commits, code: null },
    { kind: 'garbage', times: forEver, action: 'TransactWriteItems', routes: commits, code: 'UNAVAILABLE' },
    { kind: 'conflict', times: forEver, action: 'TransactWriteItems', routes: commits, code: 'UNAVAILABLE' },
    { kind: 'error', times: forEver, action: 'TransactWriteItems', routes: commits, code: 'UNAVAILABLE' },
    { kind: 'lose-response', times: 3, action: 'TransactWriteItems', routes: keyed, code: 'UNAVAILABLE' },
    { kind: 'garble-response', times: 1, action: 'TransactWriteItems', routes: keyed, code: 'UNAVAILABLE' },
    { kind: 'conflict', times: 3, action: 'TransactWriteItems', routes: keyed, code: null },
    { kind: 'throttle', times: 3, action: 'TransactWriteItems', routes: keyed, code: null },
    { kind: 'conflict', times: forEver, action: 'TransactWriteItems', routes: keyed, code: 'UNAVAILABLE' },
    { kind: 'conflict', times: 3, action: 'TransactWriteItems', routes: repeated, code: null },
    { kind: 'lose-response', times: 2, action: 'TransactWriteItems', routes: repeated, code: null },
    { kind: 'lose-response', times: 3, action: 'TransactWriteItems', routes: repeated, code: 'UNAVAILABLE' },
    { kind: 'conflict', times: forEver, action: 'TransactWriteItems', routes: repeated, code: 'UNAVAILABLE' },
    // Where a look cannot be written down, nothing is shown; written twice it is one.
    { kind: 'error', times: forEver, action: 'TransactWriteItems', routes: looks, code: 'UNAVAILABLE' },
    { kind: 'lose-response', times: 2, action: 'TransactWriteItems', routes: looks, code: null },
    { kind: 'conflict', times: 3, action: 'TransactWriteItems', routes: looks, code: null },
    { kind: 'conflict', times: forEver, action: 'TransactWriteItems', routes: looks, code: 'UNAVAILABLE' },
  ]),
  ...casesOf('SNS', [
    { kind: 'throttle', times: 2, routes: ['register-device'], code: null },
    { kind: 'error', times: 2, routes: ['register-device'], code: null },
    { kind: 'lose-response', times: 1, routes: ['register-device'], code: null },
    { kind: 'throttle', times: forEver, routes: ['register-device'], code: 'UNAVAILABLE' },
    { kind: 'error', times: forEver, routes: ['register-device'], code: 'UNAVAILABLE' },
    { kind: 'garbage', times: forEver, routes: ['register-device'], code: 'UNAVAILABLE' },
    { kind: 'lose-response', times: forEver, routes: ['register-device'], code: 'UNAVAILABLE' },
  ]),
  ...casesOf('SQS', [
    { kind: 'throttle', times: 2, routes: queued, code: null },
    { kind: 'lose-response', times: 1, routes: queued, code: null },
    { kind: 'throttle', times: forEver, routes: queued, code: 'UNAVAILABLE' },
    { kind: 'error', times: forEver, routes: queued, code: 'UNAVAILABLE' },
    { kind: 'garbage', times: forEver, routes: queued, code: 'UNAVAILABLE' },
  ]),
  ...casesOf('Cognito', [
    { kind: 'throttle', times: 1, routes: ['meet-user'], code: null },
    { kind: 'error', times: 1, routes: ['meet-user'], code: null },
    { kind: 'throttle', times: forEver, routes: ['meet-user'], code: 'UNAVAILABLE' },
    { kind: 'error', times: forEver, routes: ['meet-user'], code: 'UNAVAILABLE' },
  ]),
  ...casesOf('Lambda', [
    { kind: 'throttle', times: 2, routes: ['read-receipt'], code: null },
    { kind: 'error', times: 2, routes: ['read-receipt'], code: null },
    { kind: 'lose-response', times: 1, routes: ['read-receipt'], code: null },
    { kind: 'throttle', times: forEver, routes: ['read-receipt'], code: 'UNAVAILABLE' },
    { kind: 'error', times: forEver, routes: ['read-receipt'], code: 'UNAVAILABLE' },
    { kind: 'garbage', times: forEver, routes: ['read-receipt'], code: 'UNAVAILABLE' },
  ]),
  ...casesOf('S3', [
    { kind: 'throttle', times: 1, routes: ['publish-agreement-version'], code: null },
    { kind: 'lose-response', times: 1, routes: ['publish-agreement-version'], code: null },
    { kind: 'throttle', times: forEver, routes: ['publish-agreement-version'], code: 'UNAVAILABLE' },
    { kind: 'error', times: forEver, routes: ['publish-agreement-version'], code: 'UNAVAILABLE' },
  ]),
];

/** Faults that everybody meets: one after the other. */
export const sharedFaults: readonly FaultCase[] = [
  ...casesOf('DynamoDB', [
    { kind: 'throttle', times: forEver, carrying: 'Agreements', routes: ofCatalogue, code: 'UNAVAILABLE' },
    { kind: 'error', times: forEver, carrying: 'Agreements', routes: ofCatalogue, code: 'UNAVAILABLE' },
    { kind: 'garbage', times: forEver, carrying: 'Agreements', routes: ofCatalogue, code: 'UNAVAILABLE' },
    // An outage of a table that a route can do without is none of its users' business.
    { kind: 'error', times: forEver, carrying: 'AppVersionPolicies', routes: ['check-app-version'], code: null },
    { kind: 'error', times: forEver, carrying: 'MobileSettings', routes: ['read-mobile-settings'], code: null },
  ]),
  ...casesOf('KMS', [
    { kind: 'throttle', times: 2, action: 'Sign', carrying: '', routes: ['read-receipt'], code: null },
    { kind: 'lose-response', times: 1, action: 'Sign', carrying: '', routes: ['read-receipt'], code: null },
    { kind: 'throttle', times: forEver, action: 'Sign', carrying: '', routes: ['read-receipt'], code: 'UNAVAILABLE' },
    { kind: 'error', times: forEver, action: 'Sign', carrying: '', routes: ['read-receipt'], code: 'UNAVAILABLE' },
    { kind: 'garbage', times: forEver, action: 'Sign', carrying: '', routes: ['read-receipt'], code: 'UNAVAILABLE' },
  ]),
];

/** What takes seconds: nothing is answered at all. */
export const hangs: readonly FaultCase[] = [
  ...casesOf('DynamoDB', [
    { kind: 'hang', times: 1, routes: all, code: null },
    { kind: 'hang', times: forEver, routes: all, code: 'UNAVAILABLE' },
    { kind: 'hang', times: forEver, action: 'TransactWriteItems', routes: commits, code: 'UNAVAILABLE' },
  ]),
  ...casesOf('Lambda', [{ kind: 'hang', times: forEver, routes: ['read-receipt'], code: 'UNAVAILABLE' }]),
  ...casesOf('SQS', [{ kind: 'hang', times: forEver, routes: queued, code: 'UNAVAILABLE' }]),
  ...casesOf('SNS', [{ kind: 'hang', times: forEver, routes: ['register-device'], code: 'UNAVAILABLE' }]),
  ...casesOf('Cognito', [{ kind: 'hang', times: forEver, routes: ['meet-user'], code: 'UNAVAILABLE' }]),
  ...casesOf('S3', [{ kind: 'hang', times: forEver, routes: ['publish-agreement-version'], code: 'UNAVAILABLE' }]),
];

/** The same of what everybody meets. */
export const sharedHangs: readonly FaultCase[] = [
  ...casesOf('KMS', [
    { kind: 'hang', times: forEver, action: 'Sign', carrying: '', routes: ['read-receipt'], code: 'UNAVAILABLE' },
  ]),
  ...casesOf('DynamoDB', [
    { kind: 'hang', times: forEver, carrying: 'Agreements', routes: ['agree'], code: 'UNAVAILABLE' },
  ]),
];

export const matrix: readonly FaultCase[] = [...ownFaults, ...sharedFaults, ...hangs, ...sharedHangs];

/** What `npm test` has time for: consents, and of each other dependency what does not wait. All else is CI's. */
export function isQuick({ plan, route }: FaultCase): boolean {
  // Its functions are started for it only.
  if (route === 'request-research-export') return false;
  if (plan.dependency !== 'DynamoDB') return plan.kind === 'error' || plan.kind === 'garbage';
  return route === 'agree' || (route === 'revoke-consent' && plan.kind !== 'throttle');
}
