import { gateInstruments, gateProblems } from '../functions/learning/rules.ts';
import { applications, invitationPages, mailSenders, secureAccountPages } from '../functions/product.ts';
import { type Definition, isWordingNeeded, staleContacts } from '../functions/questionnaires/rules.ts';
import { settings } from '../functions/settings.ts';
import type { Environment } from '../lib/contract/register.ts';
import type { Settings } from '../lib/contract/settings.ts';
import { type Demand, mostOf } from './assembly-demand.ts';

/** What an account and region must have before the first deployment of a stage. */

/** The questions to the account. Each may throw the error of its service. */
export type Account = {
  /** The version of `cdk bootstrap`; null if the account was not bootstrapped. */
  readonly bootstrapVersion: () => Promise<number | null>;
  readonly concurrency: () => Promise<{ readonly total: number; readonly unreserved: number }>;
  readonly gateway: () => Promise<{ readonly rate: number; readonly burst: number; readonly logRole: string | null }>;
  /** The quotas of the service and region that have a value of their own in this account. */
  readonly quotas: (quota: Quota) => Promise<readonly { readonly QuotaCode?: string; readonly Value?: number }[]>;
  /** Of the account, in all regions: how many there are, how many of these belong to the stage, and how many it may have. */
  readonly roles: (environment: Environment) => Promise<AccountRoles>;
  /** Bytes, of all functions and their versions in the region. */
  readonly codeStorage: () => Promise<{ readonly total: number; readonly used: number }>;
  /** SES in the region: whether mail reaches everybody, and whether the identity may send; null if there is no identity. */
  readonly mail: (identity: string) => Promise<{
    readonly isInSandbox: boolean;
    readonly isSending: boolean;
    readonly isVerified: boolean | null;
  }>;
  /** Of a deployed stage, with its applications; null if it is not deployed, or does not say so yet. */
  readonly isProtected: (environment: Environment) => Promise<boolean | null>;
  /** The current versions of these questionnaires in the stage; those of the seeds, if the stage is not deployed yet. */
  readonly definitions: (environment: Environment, ids: readonly string[]) => Promise<ReadonlyMap<string, Definition>>;
};

type AccountRoles = { readonly used: number; readonly ofStage: number; readonly total: number };

export type Finding = {
  readonly subject: string;
  /** What was found. */
  readonly found: string;
  /** What to do; null if nothing is wrong. */
  readonly toDo: string | null;
};

/** The version that a template of the pinned CDK needs (`requiresBootstrapStackVersion` in the assembly's manifest). */
export const leastBootstrapVersion = 6;

/** A new account may have a limit of 10 functions at a time: https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html */
const leastConcurrency: Record<Environment, number> = { dev: 100, staging: 100, prod: 1000 };

/** For prod's sign-ins and renewals. All applications and stages of the account share the quota. The default is 120. */
const leastCognitoRates: Record<Environment, number> = { dev: 25, staging: 25, prod: 120 };

/** As in Service Quotas. AWS may change the name; the code stays. */
export type Quota = {
  readonly service: string;
  readonly code: string;
  readonly name: string;
  /** The region to ask; the shell's region by default. */
  readonly region?: string;
};

const cognitoQuotas: readonly Quota[] = [
  { service: 'cognito-idp', code: 'L-026ADBA3', name: 'Rate of UserAuthentication requests' },
  { service: 'cognito-idp', code: 'L-F21F8BB4', name: 'Rate of UserToken requests' },
];
const gatewayQuota = { service: 'apigateway', code: 'L-01C8A9E0', name: 'Resources/Routes per REST/WebSocket API' };
const rolesQuota = { service: 'iam', code: 'L-FE177D64', name: 'Roles per account', region: 'us-east-1' };

/** The value if the account has none of its own. */
const defaults = { gatewayResources: 300 } as const;

/** With more readers, reads are throttled. This is not a quota of the account: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Streams.html */
const mostStreamReaders = 2;

/** What needs no bundles. @param today `2026-11-25` */
export async function checkAccount(environment: Environment, account: Account, today: string): Promise<Finding[]> {
  return Promise.all([
    checked('CDK bootstrap', async () => bootstrap(environment, await account.bootstrapVersion())),
    checked('Lambda concurrency', async () => concurrency(environment, await account.concurrency())),
    checked('API Gateway throttle', async () => throttle(environment, await account.gateway())),
    checked('API Gateway log role', async () => logRole((await account.gateway()).logRole)),
    checked('Cognito request rates', async () =>
      cognito(environment, await Promise.all(cognitoQuotas.map((each) => grantedOf(each, account)))),
    ),
    checked('Mail', async () =>
      mailVerdict(settings[environment], await account.mail(settings[environment].mail.identity)),
    ),
    checked('Addresses in mails', async () =>
      mailAddresses(environment, [
        `invitationPages: ${invitationPages[environment]}`,
        ...applications.map((application) => `secureAccountPages: ${secureAccountPages[application][environment]}`),
        ...applications.map((application) => `mailSenders: ${mailSenders[application].contact}`),
      ]),
    ),
    checked('Alarms by e-mail', async () => emails(environment)),
    checked('Protection', async () =>
      settings[environment].keepsData
        ? protection(environment, await account.isProtected(environment))
        : { found: 'none: the stage keeps no data', toDo: null },
    ),
    checked('Crisis contacts', async () => crisisContacts(staleContacts(today))),
    checked('Wording of questionnaires', async () =>
      wording(environment, await account.definitions(environment, gateInstruments)),
    ),
  ]);
}

/** Whether what the templates have fits. */
export async function checkDemand(environment: Environment, account: Account, demand: Demand): Promise<Finding[]> {
  const [paths, readers] = [mostOf(demand, 'paths of '), mostOf(demand, 'consumers of ')];
  return Promise.all([
    checked('API Gateway resources', async () =>
      gatewayResources(paths, (await grantedOf(gatewayQuota, account)) ?? defaults.gatewayResources),
    ),
    checked('IAM roles', async () => roles(mostOf(demand, 'roles'), await account.roles(environment))),
    checked('DynamoDB streams', async () => streams(readers)),
    checked('Lambda code storage', async () => codeStorage(demand.codeBytes, await account.codeStorage())),
    checked('Default limits', async () => defaultLimits(demand)),
  ]);
}

type Verdict = Omit<Finding, 'subject'>;

async function grantedOf(quota: Quota, account: Account): Promise<number | null> {
  return (await account.quotas(quota)).find(({ QuotaCode }) => QuotaCode === quota.code)?.Value ?? null;
}

async function checked(subject: string, check: () => Promise<Verdict>): Promise<Finding> {
  return check().then(
    (verdict) => ({ subject, ...verdict }),
    (error: unknown) => ({
      subject,
      found: `could not be read: ${error instanceof Error ? `${error.name}, ${error.message}` : error}`,
      toDo: "Check the shell's region and credentials, and that they have the right to read it",
    }),
  );
}

/** The first deployment protects in its second step: until then a stack takes its data with it. */
function protection(environment: Environment, isProtected: boolean | null): Verdict {
  if (isProtected === null) return { found: 'comes with the next deployment', toDo: null };
  const toDo = `No traffic before it: npm run deploy -- --stage ${environment}`;
  return { found: isProtected ? 'what holds data is protected' : 'missing', toDo: isProtected ? null : toDo };
}

/** Patients read them in a crisis. */
function crisisContacts(old: readonly string[]): Verdict {
  if (old.length === 0) return { found: 'all were compared with their sources in the last twelve months', toDo: null };
  return { found: old.join('; '), toDo: 'Compare them (docs/questionnaires.md), and correct crisis-contacts.ts' };
}

function bootstrap(environment: Environment, version: number | null): Verdict {
  const command = `npm run cdk -- bootstrap -c stage=${environment}`;
  if (version === null) return { found: 'there is none', toDo: command };
  const isOld = version < leastBootstrapVersion;
  return {
    found: `version ${version}`,
    toDo: isOld ? `${command}: at least ${leastBootstrapVersion} is needed` : null,
  };
}

function concurrency(environment: Environment, { total, unreserved }: { total: number; unreserved: number }): Verdict {
  const least = leastConcurrency[environment];
  return {
    found: `${total} functions at a time, ${unreserved} of them unreserved`,
    toDo:
      unreserved >= least
        ? null
        : `Ask for at least ${least + total - unreserved}: aws service-quotas request-service-quota-increase --service-code lambda --quota-code L-B99A9384 --desired-value ${least + total - unreserved}`,
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

/** An account has one logging role for all its APIs. Ours has the documented policy, so other APIs can still write logs. */
function logRole(arn: string | null): Verdict {
  if (arn === null) return { found: 'there is none; the stack MobileHealth-Account makes it', toDo: null };
  const isOurs = arn.includes(':role/MobileHealth-Account-');
  return { found: isOurs ? arn : `${arn}; the stack MobileHealth-Account replaces it by its own`, toDo: null };
}

/** @param rates the values of `cognitoQuotas`, in their order */
function cognito(environment: Environment, rates: readonly (number | null)[]): Verdict {
  const least = leastCognitoRates[environment];
  const found = cognitoQuotas.map(({ name }, index) => `${name} ${rates[index] ?? 'unknown'}`).join(', ');
  const short = cognitoQuotas.filter((_, index) => (rates[index] ?? 0) < least).map(titleOf);
  const ask = `Ask for at least ${least} a second of ${short.join(' and ')} in Service Quotas`;
  return { found: `${found} a second`, toDo: short.length === 0 ? null : ask };
}

function gatewayResources(needed: number, total: number): Verdict {
  const toDo =
    `Ask for at least ${needed} of ${titleOf(gatewayQuota)} in Service Quotas. AWS increases it for single APIs and not ` +
    'for a whole account: give the id of the API. An increase for one API is not shown here';
  return { found: `${needed} for this stage of ${total}${nearly(needed, total)}`, toDo: needed <= total ? null : toDo };
}

/** CloudFormation's name for a role begins with its stack's name. The stack MobileHealth-Account is part of every stage. */
export function isOfStage(roleName: string, environment: Environment): boolean {
  return [`MobileHealth-${environment}-`, 'MobileHealth-Account-'].some((prefix) => roleName.startsWith(prefix));
}

/** A stage that is deployed already has most of its roles, so these are not counted twice. */
function roles(needed: number, { used, ofStage, total }: AccountRoles): Verdict {
  const others = used - ofStage;
  const least = others + needed;
  return {
    found: `${needed} for this stage (${ofStage} are there), ${others} others, of ${total} of the account${nearly(least, total)}`,
    toDo:
      least <= total
        ? null
        : `The stage does not fit into the account. Use an account of its own, or ask for at least ${least} of ${titleOf(rolesQuota)}: aws service-quotas request-service-quota-increase --service-code iam --quota-code L-FE177D64 --desired-value ${least} --region us-east-1`,
  };
}

function streams(readers: number): Verdict {
  return {
    found: `at most ${readers} consumers of one stream, of ${mostStreamReaders}`,
    toDo: readers <= mostStreamReaders ? null : 'Let one consumer pass on what another one needs',
  };
}

const nearShare = 0.8;

const checkedBeside = ['consumers of ', 'paths of ', 'roles'];

/** Of resources and templates, which no account can have raised. */
function defaultLimits({ limits }: Demand): Verdict {
  const near = limits.filter(
    ({ what, found, limit }) => found > limit * nearShare && !checkedBeside.some((kind) => what.startsWith(kind)),
  );
  const over = near.filter(({ found, limit }) => found > limit);
  const shown = near.map(({ what, found, limit }) => `${what}: ${found} of ${limit}`).join('; ');
  return {
    found: shown === '' ? 'at most four fifths of each' : shown,
    toDo: over.length === 0 ? null : `AWS refuses ${over.map(({ what }) => what).join(' and ')}: divide it`,
  };
}

/** ` (87 %)` from where it is time to think of it. */
function nearly(used: number, total: number): string {
  return used > total * nearShare ? ` (${Math.round((used / total) * 100)} %)` : '';
}

function codeStorage(needed: number, { total, used }: { total: number; used: number }): Verdict {
  return {
    found: `${needed} for this stage${used > 0 ? `, ${used} in use,` : ''} of ${total}${nearly(used + needed, total)}`,
    toDo:
      used + needed <= total
        ? null
        : `Ask for at least ${used + needed} of Function and layer storage (lambda, L-2ACBD22F) in Service Quotas`,
  };
}

type MailState = Awaited<ReturnType<Account['mail']>>;

/** In the sandbox mail reaches only verified addresses: https://docs.aws.amazon.com/ses/latest/dg/request-production-access.html */
export function mailVerdict(
  { mail: { from, identity }, keepsData }: Pick<Settings, 'mail' | 'keepsData'>,
  { isInSandbox, isSending, isVerified }: MailState,
): Verdict {
  const state = isVerified === null ? 'is not there' : isVerified ? 'is verified' : 'is not verified';
  const found = `from ${from}; the identity ${identity} ${state}; ${isInSandbox ? 'in the sandbox' : 'out of the sandbox'}`;
  if (isExample.test(identity)) {
    // Nobody could verify it. A stage for development works without mail, but for sign-ups and forgotten passwords.
    const toDo = keepsData ? 'Set `mail` to an address of your domain (functions/settings.ts)' : null;
    return {
      found: `${from} is an example: nobody gets a mail before \`mail\` of functions/settings.ts is yours`,
      toDo,
    };
  }
  if (!isVerified) {
    const then = identity.includes('@') ? 'the link in the mail to it' : 'its DNS records';
    const toDo = `Verify it: aws sesv2 create-email-identity --email-identity ${identity}, then ${then}`;
    return { found, toDo };
  }
  if (!isSending)
    return { found, toDo: 'SES has paused the sending of this account: its reputation dashboard says why' };
  const toDo = isInSandbox && keepsData ? 'Ask SES for production access: people get no mail before' : null;
  return { found, toDo };
}

/** Names that belong to nobody: https://www.rfc-editor.org/rfc/rfc2606 */
const isExample = /(^|[/@.\s])(example\.(com|net|org)|[\w-]+\.(example|test|invalid|localhost))(?![\w-]|\.\w)/i;

/** Readers of mails open these pages and write to these contacts. @param given `mailSenders: help@sleepcare.example.com` */
export function mailAddresses(environment: Environment, given: readonly string[]): Verdict {
  const examples = given.filter((each) => isExample.test(each));
  if (examples.length === 0) return { found: given.join('; '), toDo: null };
  const toDo = 'Put your own addresses into functions/product.ts: these belong to nobody';
  return { found: examples.join('; '), toDo: settings[environment].keepsData ? toDo : null };
}

function titleOf({ name, service, code, region }: Quota): string {
  return `${name} (${service}, ${code}${region ? `, in ${region}` : ''})`;
}

function emails(environment: Environment): Verdict {
  const { alarmEmails, keepsData } = settings[environment];
  if (alarmEmails?.length) return { found: alarmEmails.join(', '), toDo: null };
  const toDo = keepsData ? 'Put at least one address into `alarmEmails` (functions/settings.ts)' : null;
  return { found: alarmEmails ? 'nobody' : 'no alarms', toDo };
}

/** A programme whose sleep windows are guarded by an instrument without wording must not reach patients. */
function wording(environment: Environment, definitions: ReadonlyMap<string, Definition>): Verdict {
  const problems = gateProblems(definitions).map(
    ({ programmeId, questionnaireId, languages }) =>
      `${programmeId} asks for ${questionnaireId}, which has no wording in ${languages.join(', ')}`,
  );
  if (problems.length === 0) return { found: 'of all instruments that guard a sleep window', toDo: null };
  const toDo = 'These programmes cannot be published: get the licence, and publish a version with the wording';
  return { found: problems.join('; '), toDo: isWordingNeeded(environment) ? toDo : null };
}
