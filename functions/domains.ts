import { type Domains, declarationsOf } from '../lib/contract/declarations.ts';
import { dataSubjectRules } from './access/data-subject-rules.ts';

/** THE list: one line a domain, which is the folder of its name. An operation's handler is the file in `handlers/` named as it. */
export const domains: Domains = {
  consents: await import('./consents/index.ts'),
  agreements: await import('./agreements/index.ts'),
  receipts: await import('./receipts/index.ts'),
  'consent-events': await import('./consent-events/index.ts'),
  evidence: await import('./evidence/index.ts'),
  ledger: await import('./ledger/index.ts'),
  statistics: await import('./statistics/index.ts'),
  'app-version': await import('./app-version/index.ts'),
  'mobile-settings': await import('./mobile-settings/index.ts'),
  mail: await import('./mail/index.ts'),
  auth: await import('./auth/index.ts'),
  accounts: await import('./accounts/index.ts'),
  users: await import('./users/index.ts'),
  'app-users': await import('./app-users/index.ts'),
  erasure: await import('./erasure/index.ts'),
  devices: await import('./devices/index.ts'),
  'personal-exports': await import('./personal-exports/index.ts'),
  staff: await import('./staff/index.ts'),
  iam: await import('./iam/index.ts'),
  idempotency: await import('./idempotency/index.ts'),
  audit: await import('./audit/index.ts'),
  overview: await import('./overview/index.ts'),
  health: await import('./health/index.ts'),
  'access-log': await import('./access-log/index.ts'),
  'crm-sites': await import('./crm-sites/index.ts'),
  'crm-users': await import('./crm-users/index.ts'),
  'crm-patients': await import('./crm-patients/index.ts'),
  'agent-board': await import('./agent-board/index.ts'),
  push: await import('./push/index.ts'),
  questionnaires: await import('./questionnaires/index.ts'),
  'questionnaire-responses': await import('./questionnaire-responses/index.ts'),
  sleep: await import('./sleep/index.ts'),
  fhir: await import('./fhir/index.ts'),
  'time-machine': await import('./time-machine/index.ts'),
  'access-codes': await import('./access-codes/index.ts'),
  learning: await import('./learning/index.ts'),
  support: await import('./support/index.ts'),
  groups: await import('./groups/index.ts'),
  research: await import('./research/index.ts'),
  'research-exports': await import('./research-exports/index.ts'),
};

export const declarations = declarationsOf(domains, 'functions', dataSubjectRules);

export const { operations, consumers, models, references, ownedTables, exportFiles, tables, permissions, errors } =
  declarations;
