import type { Environment } from '../lib/contract/deployments.ts';
import { applications } from '../lib/contract/deployments.ts';
import { settings } from '../lib/stack/settings.ts';
import type { Demand } from './assembly-demand.ts';

/** What has to be there in an account and region before a stage is deployed to it for the first time. */

/** What is asked of the account; each may throw what its service answers. */
export type Account = {
  /** Of `cdk bootstrap`; null where there was none. */
  readonly bootstrapVersion: () => Promise<number | null>;
  readonly concurrency: () => Promise<{ readonly total: number; readonly unreserved: number }>;
  readonly gateway: () => Promise<{ readonly rate: number; readonly burst: number; readonly logRole: string | null }>;
  /** Requests a second, by the category's name: `UserAuthentication`. */
  readonly cognitoRates: () => Promise<ReadonlyMap<string, number>>;
  /** Null where the account's own is not told: then it is AWS's default. */
  readonly gatewayResources: () => Promise<number | null>;
  readonly roles: () => Promise<number | null>;
  /** Bytes, of all functions and their versions in the region. */
  readonly codeStorage: () => Promise<{ readonly total: number; readonly used: number }>;
};

export type Finding = {
  readonly subject: string;
  /** What was found. */
  readonly found: string;
  /** What to do; null where all is well. */
  readonly toDo: string | null;
};

/** What a template of the pinned CDK asks for (`requiresBootstrapStackVersion` in the assembly's manifest). */
export const leastBootstrapVersion = 6;

/** A new account may have a limit of 10 functions at a time: https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html */
const leastConcurrency: Record<Environment, number> = { dev: 100, staging: 100, prod: 1000 };

/** Of prod's sign-ins and renewals, which all applications and stages of the account share. By default it is 120. */
const leastCognitoRates: Record<Environment, number> = { dev: 25, staging: 25, prod: 120 };
const cognitoCategories = ['UserAuthentication', 'UserToken'] as const;

/** Of an API's resources, and of an account's roles, which all of its stages share. */
const defaultQuotas = { gatewayResources: 300, roles: 1000 } as const;

export async function preflight(environment: Environment, account: Account, demand: Demand): Promise<Finding[]> {
  const found = await Promise.all([
    checked('CDK bootstrap', async () => bootstrap(await account.bootstrapVersion())),
    checked('Lambda concurrency', async () => concurrency(environment, await account.concurrency())),
    checked('API Gateway throttle', async () => throttle(environment, await account.gateway())),
    checked('API Gateway log role', async () => logRole((await account.gateway()).logRole)),
    checked('Cognito request rates', async () => cognito(environment, await account.cognitoRates())),
    checked('API Gateway resources', async () =>
      quota('Resources per API (Amazon API Gateway)', demand.gatewayResources, {
        total: (await account.gatewayResources()) ?? defaultQuotas.gatewayResources,
      }),
    ),
    checked('IAM roles', async () =>
      quota('Roles per account (IAM, in us-east-1)', demand.roles, {
        total: (await account.roles()) ?? defaultQuotas.roles,
      }),
    ),
    checked('Lambda code storage', async () =>
      quota('Function and layer storage (AWS Lambda)', demand.codeBytes, await account.codeStorage()),
    ),
    checked('Alarms by e-mail', async () => emails(environment)),
  ]);
  return found;
}

type Verdict = Omit<Finding, 'subject'>;

async function checked(subject: string, check: () => Promise<Verdict>): Promise<Finding> {
  return check().then(
    (verdict) => ({ subject, ...verdict }),
    (error: unknown) => ({
      subject,
      found: `could not be asked: ${error instanceof Error ? `${error.name}, ${error.message}` : error}`,
      toDo: "Check the shell's credentials and region, and that they may read it",
    }),
  );
}

function bootstrap(version: number | null): Verdict {
  if (version === null) return { found: 'there is none', toDo: 'npx cdk bootstrap aws://<account>/<region>' };
  const isOld = version < leastBootstrapVersion;
  return {
    found: `version ${version}`,
    toDo: isOld ? `npx cdk bootstrap: at least ${leastBootstrapVersion} is needed` : null,
  };
}

function concurrency(environment: Environment, { total, unreserved }: { total: number; unreserved: number }): Verdict {
  const least = leastConcurrency[environment];
  return {
    found: `${total} functions at a time, ${unreserved} of them unreserved`,
    toDo:
      unreserved >= least
        ? null
        : `Ask for ${least + total - unreserved} at least: aws service-quotas request-service-quota-increase --service-code lambda --quota-code L-B99A9384`,
  };
}

function throttle(environment: Environment, { rate, burst }: { rate: number; burst: number }): Verdict {
  const { ratePerSecond, burst: stageBurst } = settings[environment].stageThrottle;
  const [leastRate, leastBurst] = [ratePerSecond * applications.length, stageBurst * applications.length];
  const suffices = rate >= leastRate && burst >= leastBurst;
  return {
    found: `${rate} requests a second, burst ${burst}, for all APIs of the region`,
    toDo: suffices
      ? null
      : `The stage's own throttles come to ${leastRate} a second, burst ${leastBurst}: ask for more (apigateway, L-8A5B8E43)`,
  };
}

/** An account has one for all of its APIs; ours has the documented policy, so that other APIs go on logging. */
function logRole(arn: string | null): Verdict {
  if (arn === null) return { found: 'there is none; the stack MobileHealth-Account makes it', toDo: null };
  const isOurs = arn.includes(':role/MobileHealth-Account-');
  return { found: isOurs ? arn : `${arn}; the stack MobileHealth-Account replaces it by its own`, toDo: null };
}

function cognito(environment: Environment, rates: ReadonlyMap<string, number>): Verdict {
  const least = leastCognitoRates[environment];
  const found = cognitoCategories.map((category) => `${category} ${rates.get(category) ?? 'unknown'}`).join(', ');
  const short = cognitoCategories.filter((category) => (rates.get(category) ?? 0) < least);
  const ask = `Ask for ${least} a second at least of ${short.join(' and ')} (Service Quotas, Amazon Cognito User Pools)`;
  return { found: `${found} a second`, toDo: short.length === 0 ? null : ask };
}

/** @param used by what is there already, where it is told */
function quota(name: string, needed: number, { total, used = 0 }: { total: number; used?: number }): Verdict {
  const suffices = used + needed <= total;
  return {
    found: `${needed} for this stage${used > 0 ? `, ${used} in use,` : ''} of ${total}`,
    toDo: suffices ? null : `Ask for ${used + needed} at least of ${name} in Service Quotas`,
  };
}

function emails(environment: Environment): Verdict {
  const { alarmEmails, keepsData } = settings[environment];
  if (alarmEmails.length > 0) return { found: alarmEmails.join(', '), toDo: null };
  const toDo = keepsData ? 'Put at least one address into `alarmEmails` (lib/stack/settings.ts)' : null;
  return { found: 'nobody', toDo };
}
