import * as z from 'zod/mini';
import { AgreementNotFound, AgreementVersionNotFound } from '../../../functions/agreements/errors.ts';
import { type AgreementWithVersions, activeVersion } from '../../../functions/agreements/rules/catalogue.ts';
import {
  catalogueMs,
  readAgreement,
  readCatalogue,
  readVersionName,
} from '../../../functions/agreements/stores/catalogue-reader.ts';
import { Agreements } from '../../../functions/agreements/tables.ts';
import { checkAppVersion } from '../../../functions/app-version/routes.ts';
import { checkResult } from '../../../functions/app-version/rules/check-result.ts';
import type { StoredPolicy } from '../../../functions/app-version/rules/policy.ts';
import { evaluate } from '../../../functions/app-version/rules/verdict.ts';
import { policyMs, readPolicy } from '../../../functions/app-version/stores/policy-rows.ts';
import { AppVersionPolicies } from '../../../functions/app-version/tables.ts';
import { AgreementVersionNotActive, RequiredAgreement } from '../../../functions/consents/errors.ts';
import { agree, listAgreements, revokeConsent } from '../../../functions/consents/routes.ts';
import { agreementItems } from '../../../functions/consents/rules/agreement-item.ts';
import { decideAgreement, decideRevocation } from '../../../functions/consents/rules/consent.ts';
import { readStates } from '../../../functions/consents/stores/consent-rows.ts';
import { ConsentRecords, ConsentStates } from '../../../functions/consents/tables.ts';
import { recordChange } from '../../../functions/consents/workflows/record-change.ts';
import { PageQuery } from '../../../lib/contract/collection.ts';
import { Internal, ValidationFailed } from '../../../lib/contract/common-errors.ts';
import { type DeclaredError, errorBody } from '../../../lib/contract/errors.ts';
import { responseSchema } from '../../../lib/contract/route.ts';
import { type Table, tableVariable } from '../../../lib/contract/tables.ts';
import { cached } from '../../../lib/runtime/cached.ts';
import { dynamo } from '../../../lib/runtime/clients.ts';
import { chooseLanguage } from '../../../lib/runtime/language.ts';
import { hastyLimits } from '../../../lib/runtime/limits.ts';
import { type Action, type Handle, handleOf } from '../../../lib/runtime/table-handle.ts';

/**
 * The four endpoints as one would write them for a framework: the same rules, stores, schemas and DynamoDB requests as
 * the functions', so that what differs is the framework, and how it is built and deployed.
 */

export type PeerRequest = {
  readonly userId: string;
  readonly query: Record<string, unknown>;
  readonly body: unknown;
  readonly acceptLanguage: string | undefined;
  readonly requestId: string;
};

export class Refusal extends Error {
  readonly error: DeclaredError;

  constructor(error: DeclaredError) {
    super(error.code);
    this.error = error;
  }
}

/** The status and body of whatever an endpoint threw. */
export function refused(error: unknown): { status: number; body: object } {
  const declared = error instanceof Refusal ? error.error : Internal;
  if (declared === Internal) console.error(error);
  return { status: declared.status, body: errorBody(declared) };
}

const application = 'sleepcare';

function table<T extends Table>(declared: T, limits?: typeof hastyLimits): Handle<T, Action> {
  return handleOf<T>(dynamo(limits), process.env[tableVariable(declared)] ?? declared.name);
}

function tables() {
  return { ConsentRecords: table(ConsentRecords), ConsentStates: table(ConsentStates) };
}

function parsed<S extends z.ZodMiniType>(schema: S, value: unknown): z.output<S> {
  const result = z.safeParse(schema, value);
  if (!result.success) throw new Refusal(ValidationFailed);
  return result.data;
}

const elapsed = performance.now.bind(performance);
const catalogue = cached<AgreementWithVersions[]>(
  () => readCatalogue(table(Agreements), application),
  catalogueMs,
  elapsed,
);
const listResponse = responseSchema(listAgreements);

export async function list({ userId, query, acceptLanguage }: PeerRequest): Promise<object> {
  const { locale } = parsed(listAgreements.query, query);
  const { limit = listAgreements.defaultLimit } = parsed(PageQuery, query);
  const [known, states] = await Promise.all([catalogue(), readStates(table(ConsentStates), userId)]);
  const items = agreementItems(known, { states, ends: [] }, new Date().toISOString(), (version) =>
    chooseLanguage(Object.keys(version.locales), version.defaultLocale, locale, acceptLanguage),
  );
  const shown = items.slice(0, limit);
  const metadata = { limit, count: shown.length, hasMore: false, nextCursor: null };
  return z.parse(listResponse, { items: shown, metadata });
}

export async function agreeTo(id: string, { userId, body, acceptLanguage, requestId }: PeerRequest): Promise<object> {
  const { versionId } = parsed(agree.params, { versionId: id });
  const stated = parsed(agree.body, body);
  const name = await readVersionName(table(Agreements), versionId);
  if (name?.owner !== application) throw new Refusal(AgreementVersionNotFound);
  const { agreementId } = name;
  const found = await readAgreement(table(Agreements), application, agreementId);
  const now = new Date();
  const version = activeVersion(found?.versions ?? [], now.toISOString());
  if (version?.versionId !== versionId) throw new Refusal(AgreementVersionNotActive);
  const locale = chooseLanguage(Object.keys(version.locales), version.defaultLocale, stated?.locale, acceptLanguage);
  const shown = {
    versionId,
    contentHash: version.locales[locale]?.contentHash ?? '',
    locale,
    localeSource: stated?.locale === locale ? ('stated' as const) : ('negotiated' as const),
    appVersion: stated?.appVersion ?? null,
  };
  const decide = (state: Parameters<typeof decideAgreement>[0]) => decideAgreement(state, shown, []);
  const agreedAt = await recordChange(tables(), { userId, agreementId, now, requestId, decide });
  return z.parse(agree.response, { success: true, agreementId, versionId, agreed: true, agreedAt });
}

export async function revoke(id: string, { userId, requestId }: PeerRequest): Promise<object> {
  const { agreementId } = parsed(revokeConsent.params, { agreementId: id });
  const found = await readAgreement(table(Agreements), application, agreementId);
  if (!found) throw new Refusal(AgreementNotFound);
  if (found.agreement.isRequired) throw new Refusal(RequiredAgreement);
  const now = new Date();
  const decide = (state: Parameters<typeof decideRevocation>[0]) => decideRevocation(state, []);
  const change = { userId, agreementId, now, requestId, decide };
  const revokedAt = (await recordChange(tables(), change)) ?? now.toISOString();
  return z.parse(revokeConsent.response, { success: true, agreementId, agreed: false, revokedAt });
}

const policies = new Map<string, () => Promise<StoredPolicy | null>>();

export async function check({ query, acceptLanguage }: PeerRequest): Promise<object> {
  const {
    platform,
    appVersion = null,
    buildNumber = null,
    deviceId = null,
    locale,
  } = parsed(checkAppVersion.query, query);
  const now = new Date().toISOString();
  const policy = platform ? await policyOf(platform) : null;
  const verdict = evaluate(policy, { platform: platform ?? null, appVersion, buildNumber, deviceId }, now);
  const result = checkResult(policy, verdict, (available, fallback) =>
    chooseLanguage(available, fallback, locale, acceptLanguage),
  );
  return z.parse(checkAppVersion.response, { ...result, checkedAt: now });
}

function policyOf(platform: StoredPolicy['platform']): Promise<StoredPolicy | null> {
  const load = () => readPolicy(table(AppVersionPolicies, hastyLimits), { application, platform }, false);
  const policy = policies.get(platform) ?? cached(load, policyMs, elapsed);
  policies.set(platform, policy);
  return policy();
}
